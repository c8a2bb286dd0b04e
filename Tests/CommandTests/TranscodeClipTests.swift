import Foundation
import TestSupport
import Testing

/// Every clip that can be decoded, to SDR: all frames, at their times, tagged as SDR and as nothing else.
@Suite(.serialized) struct TranscodeClipTests {
  static let clips = Clip.decodable.filter {
    !$0.file.hasPrefix("dv5_") && !$0.file.hasSuffix(".jpg") && !$0.file.hasSuffix(".png")
  }

  struct Format: Sendable, CustomStringConvertible {
    let name: String
    let arguments: [String]
    let pixelFormat: String
    var description: String { name }
  }

  static let formats = [
    Format(name: "h264.mp4", arguments: ["-c:v", "libx264", "--preset", "ultrafast"], pixelFormat: "yuv420p"),
    Format(
      name: "hevc.mp4", arguments: ["-c:v", "libx265", "--preset", "ultrafast", "--pixel-format", "yuv420p10le"],
      pixelFormat: "yuv420p10le"),
  ]

  @Test(arguments: clips, formats)
  func toSDR(_ clip: Clip, _ format: Format) throws {
    // x265 has no coding block that fits into this picture.
    if clip.file == "hlg_8bit-h264_2x2_colr.mp4", format.name.hasPrefix("hevc") { return }
    let scratch = try Scratch()
    let output = scratch.path(format.name)
    let result = try Command.run(["transcode", clip.path, "-o", output, "-q"] + format.arguments)
    #expect(result.status == 0, "\(result.messages)")
    guard result.status == 0 else { return }
    let source = try Probe(clip.path, ["-show_frames", "-show_streams", "-select_streams", "v:0"])
    let made = try Probe(output, ["-show_frames", "-show_streams"])
    let stream = try #require(made.streams?.first)
    #expect(stream.pix_fmt == format.pixelFormat)
    #expect(stream.color_primaries == "bt709")
    #expect(stream.color_transfer == "bt709")
    #expect(stream.color_space == "bt709")
    #expect(stream.color_range == "tv")
    let frames = made.frames ?? []
    let types = ((stream.side_data_list ?? []) + frames.flatMap { $0.side_data_list ?? [] }).compactMap(
      \.side_data_type)
    for type in types {
      #expect(!["mastering", "content light", "dovi", "dolby", "2094"].contains { type.lowercased().contains($0) })
    }
    let all = try times(source)
    // Frames before time zero are coded and hidden by an edit list, as they are in the source.
    let expected = all.filter { $0 >= 0 }
    let actual = try times(made)
    #expect(try Probe(output, ["-show_packets"]).packets?.count == all.count)
    #expect(actual.count == expected.count)
    let tick = try unit(made)
    for (index, pair) in zip(expected, actual).enumerated() where abs(pair.0 - pair.1) > tick {
      Issue.record("frame \(index) is at \(pair.1) s, not \(pair.0) s")
      break
    }
  }

  private func unit(_ probe: Probe) throws -> Double {
    let parts = try #require(probe.streams?.first?.time_base).split(separator: "/").compactMap { Double($0) }
    return parts[0] / parts[1]
  }

  /// Presentation times in seconds; a time that is not after the one before counts as one unit after it. A stream without
  /// times has its frames at its nominal rate.
  private func times(_ probe: Probe) throws -> [Double] {
    let unit = try unit(probe)
    if let frames = probe.frames, frames.allSatisfy({ $0.best_effort_timestamp == nil }) {
      let rate = try #require(probe.streams?.first?.avg_frame_rate).split(separator: "/").compactMap { Double($0) }
      return frames.indices.map { Double($0) * rate[1] / rate[0] }
    }
    var last = Int64.min
    return (probe.frames ?? []).map { frame in
      let time = max(frame.best_effort_timestamp ?? 0, last == .min ? .min : last + 1)
      last = time
      return Double(time) * unit
    }
  }
}

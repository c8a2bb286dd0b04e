import Foundation
import TestSupport
import Testing

/// Every decodable clip, to SDR: all frames, at their times, tagged as SDR only; every stream that the container can
/// hold beside them, audio bit for bit.
@Suite(.serialized) struct TranscodeClipTests {
  /// The short run has the small ones.
  static let clips = Clip.decodable.filter {
    (LongTests.areWanted || $0.bytes < 300_000) && !$0.file.hasPrefix("dv5_") && !$0.file.hasSuffix(".jpg")
      && !$0.file.hasSuffix(".png")
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
      name: "hevc.mkv", arguments: ["-c:v", "libx265", "--preset", "ultrafast", "--pixel-format", "yuv420p10le"],
      pixelFormat: "yuv420p10le"),
  ]

  /// Each clip in one of the formats. x265 has no coding block that fits into a picture of 2x2.
  static let cases = clips.enumerated().map { index, clip in
    (clip, clip.file == "hlg_8bit-h264_2x2_colr.mp4" ? formats[0] : formats[index % 2])
  }

  @Test(arguments: cases)
  func toSDR(_ clip: Clip, _ format: Format) throws {
    let scratch = try Scratch()
    let output = scratch.path(format.name)
    let result = try Command.run(["transcode", clip.path, "-o", output, "-q"] + format.arguments)
    #expect(result.status == 0, "\(result.messages)")
    guard result.status == 0 else { return }
    let source = try Probe(clip.path, ["-show_frames", "-show_streams", "-select_streams", "v:0"])
    let made = try Probe(output, ["-show_frames", "-show_streams", "-select_streams", "v:0"])
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
    try compareTimes(source, of: clip.path, made, output, isMatroska: format.name.hasSuffix("mkv"))
    try compareStreams(clip.path, output, isMatroska: format.name.hasSuffix("mkv"))
  }

  private func compareTimes(_ source: Probe, of path: String, _ made: Probe, _ output: String, isMatroska: Bool) throws
  {
    var expected = try times(source)
    #expect(try Probe(output, ["-show_packets", "-select_streams", "v:0"]).packets?.count == expected.count)
    // The first stream of a file that begins later, as broadcasts do, is at zero.
    let start = try Probe(path, ["-show_format"]).format?.start_time.flatMap(Double.init) ?? 0
    if start > 0 { expected = expected.map { $0 - start } }
    let first = expected.first ?? 0
    if isMatroska {
      // There is no time before zero: the whole file is moved by what lies before it.
      if first < 0 { expected = expected.map { $0 - first } }
    } else {
      // Frames before time zero are coded and hidden by an edit list, as they are in the source.
      expected = expected.filter { $0 >= 0 }
    }
    let actual = try times(made)
    #expect(actual.count == expected.count)
    let tick = try unit(made)
    for (index, pair) in zip(expected, actual).enumerated() where abs(pair.0 - pair.1) > tick * 1.001 {
      Issue.record("frame \(index) is at \(pair.1) s, not \(pair.0) s")
      break
    }
  }

  /// Streams that no player shows and no container but the source's holds.
  private static func isHeld(_ stream: Probe.Stream, isMatroska: Bool) -> Bool {
    switch stream.codec_type {
    case "data": false
    case "attachment": isMatroska
    default: true
    }
  }

  private func compareStreams(_ source: String, _ output: String, isMatroska: Bool) throws {
    let before = try Probe(source, ["-show_streams", "-show_chapters"])
    let after = try Probe(output, ["-show_streams", "-show_chapters"])
    let isVideo = { (stream: Probe.Stream) in stream.codec_type == "video" }
    let first = before.streams?.first(where: isVideo)?.index
    let wanted = (before.streams ?? []).filter {
      // One stream of moving pictures is processed.
      (!isVideo($0) || $0.index == first) && Self.isHeld($0, isMatroska: isMatroska)
    }
    let found = (after.streams ?? []).filter { isMatroska || $0.codec_type != "data" }
    #expect(found.count == wanted.count)
    for (old, new) in zip(wanted, found) {
      #expect(old.codec_type == new.codec_type)
      // FFmpeg 5.1 does not write PCM audio to MP4: it is encoded.
      let isEncoded = old.codec_name?.hasPrefix("pcm") == true && !isMatroska
      if !isVideo(old) { #expect(old.codec_name == new.codec_name || isEncoded && new.codec_name == "aac") }
      #expect(known(old) == known(new) || isEncoded)
      #expect(old.dispositions == new.dispositions || !isMatroska)
      if old.codec_type == "audio", !isEncoded {
        // What an edit list hides is not copied.
        let (all, copied) = try (hashes(source, old.index), hashes(output, new.index))
        #expect(all.contains(copied) && 2 * copied.count > all.count)
      }
    }
    // MP4 holds the titles only.
    let texts = { (probe: Probe) in
      probe.chapters?.map { isMatroska ? $0.tags : $0.tags.map { ["title": $0["title"] ?? ""] } }
    }
    #expect(texts(before) == texts(after))
  }

  private func known(_ stream: Probe.Stream) -> String? {
    stream.tags?["language"].flatMap { $0 == "und" ? nil : $0 }
  }

  /// Of the packets of a stream as they are, but for the headers that AAC has in a transport stream only.
  private func hashes(_ path: String, _ index: Int) throws -> [Substring] {
    let filter = path.hasSuffix(".ts") ? ["-bsf:a", "aac_adtstoasc"] : []
    let output = ["-map", "0:\(index)", "-c", "copy"] + filter + ["-f", "framemd5", "-"]
    return String(decoding: try Tool.ffmpeg.run(["-i", path] + output), as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { $0.split(separator: ",")[5] }
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

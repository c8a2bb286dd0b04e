import ColorScience
import FFmpegIO
import Foundation
internal import Media
import TestSupport
import Frames
import Testing

@Suite struct ClipTests {
  /// Decodes each clip once: its frames are those of ffprobe, the picture index lists them without decoding, and seeks find them.
  ///
  /// The short run decodes the beginning of long clips.
  @Test(arguments: Clip.decodable)
  func framesAndTimesAreThoseOfFFprobe(_ clip: Clip) throws {
    let reader = try MediaReader(url: clip.path)
    let limit = LongTests.areWanted || clip.bytes < 300_000 ? Int.max : 24
    var times: [Int64] = []
    var durations: [Int64] = []
    while times.count < limit, let frame = try reader.readFrame() {
      times.append(frame.time.presentation)
      durations.append(frame.time.duration)
    }
    let part = limit == .max ? [] : ["-read_intervals", "%+#\(limit + 64)"]
    let probe = try Probe(
      clip.path,
      ["-select_streams", "\(reader.video.index)", "-show_entries", "frame=best_effort_timestamp,pkt_duration"] + part)
    let frames = try #require(probe.frames).prefix(limit)
    #expect(times.count == frames.count)
    let stated = frames.compactMap(\.best_effort_timestamp)
    if stated.count == frames.count { #expect(times == stated) }
    #expect(durations == frames.map { $0.pkt_duration ?? 0 })
    #expect(reader.statistics.decodeErrors == 0)
    let isWhole = times.count < limit
    try expectIndex(of: clip, lists: times, isWhole: isWhole)
    if isWhole, clip.file.contains("hdr10_nasa") || clip.file.contains("hdr10_cartoon") || clip.file.contains("iphone")
    {
      try expectSeeks(in: clip, find: times)
    }
  }

  private func expectIndex(of clip: Clip, lists times: [Int64], isWhole: Bool) throws {
    if ["still", "golden"].contains(where: clip.file.hasPrefix) || Clip.damaged.contains(clip.file) { return }
    let index = try #require(try PictureIndex.read(url: clip.path))
    #expect(index.errors == 0 && !index.hasFieldPackets)
    // An elementary stream has no times.
    if clip.file.hasSuffix(".h265") {
      if isWhole { #expect(index.untimed == times.count) }
      return
    }
    // One has two pictures of the same time.
    let listed = index.pictures.map(\.presentation)
    #expect((isWhole ? listed : Array(listed.prefix(times.count))) == times.sorted(), "\(clip)")
    #expect(index.untimed == 0)
    #expect(index.pictures.first?.access != nil || clip.file.contains("editlist"))
  }

  private func expectSeeks(in clip: Clip, find times: [Int64]) throws {
    for index in [0, 1, times.count / 2, times.count - 1] where index < times.count {
      let reader = try MediaReader(url: clip.path)
      let seconds = Double(times[index]) * reader.video.timeBase.value - (reader.info.startTime ?? 0)
      try reader.seek(toSeconds: seconds)
      let wanted = times[index...].filter { $0 >= times[index] }.prefix(LongTests.areWanted ? .max : 20)
      var found: [Int64] = []
      while found.count < wanted.count, let frame = try reader.readFrame() { found.append(frame.time.presentation) }
      #expect(found == Array(wanted))
      if found.count == times[index...].count { #expect(try reader.readFrame() == nil) }
    }
  }

  @Test(arguments: Clip.described)
  func metadataIsThatOfTheIndex(_ clip: Clip) throws {
    let reader = try MediaReader(url: clip.path)
    let frame = try #require(try reader.peekFrame())
    let display = clip.first("Mastering display metadata")
    if let display, display["red_x"] != nil, display["max_luminance"] != nil {
      let found = try #require(frame.metadata.masteringDisplay)
      #expect(display["red_x"]?.units(50_000) == Int(found.red.x))
      #expect(display["green_y"]?.units(50_000) == Int(found.green.y))
      #expect(display["blue_x"]?.units(50_000) == Int(found.blue.x))
      #expect(display["white_point_y"]?.units(50_000) == Int(found.white.y))
      #expect(display["max_luminance"]?.units(10_000) == Int(found.maxLuminance))
      #expect(display["min_luminance"]?.units(10_000) == Int(found.minLuminance))
    } else {
      #expect(frame.metadata.masteringDisplay == nil)
    }
    let light = clip.first("Content light level metadata")
    #expect(light?["max_content"]?.number == frame.metadata.contentLight.map { Int($0.maxCLL) })
    #expect(light?["max_average"]?.number == frame.metadata.contentLight.map { Int($0.maxFALL) })
    let dolby = clip.first("DOVI configuration record")
    #expect(dolby?["dv_profile"]?.number == frame.metadata.dolbyVision?.profile)
    #expect(dolby?["dv_bl_signal_compatibility_id"]?.number == frame.metadata.dolbyVision?.baseLayerCompatibility)
    #expect(frame.metadata.hasDolbyVisionRPU == (clip.first("Dolby Vision RPU Data") != nil))
    #expect(
      (frame.metadata.hdr10Plus != nil)
        == clip.sideData.contains { "\($0["side_data_type"] ?? .other)".contains("HDR10+") })
    let matrix = clip.first("Display Matrix")
    #expect(matrix?["rotation"]?.number == reader.video.displayMatrix.map { Int($0.rotation) })
  }

  @Test(arguments: Clip.decodable)
  func streamInfoIsThatOfTheIndex(_ clip: Clip) throws {
    let video = try MediaReader(url: clip.path).video
    let stream = try #require(clip.stream)
    func name(_ key: String) -> String? {
      guard case .text(let value) = stream[key], value != "unknown", value != "unspecified" else { return nil }
      return value
    }
    #expect(stream["width"] == .number(video.size.width))
    #expect(stream["height"] == .number(video.size.height))
    #expect(name("pix_fmt") == video.pixelFormatName)
    // FFmpeg 5.1 does not read the colours of PNG, we do.
    guard stream["codec_name"] != .text("png") else { return }
    #expect(name("color_range") == video.rangeName)
    #expect(name("color_space") == video.matrixName)
    #expect(name("color_transfer") == video.transferName)
    #expect(name("color_primaries") == video.primariesName)
    #expect(name("chroma_location") == video.chromaLocationName)
  }

  @Test(arguments: Clip.damaged)
  func damagedFilesGiveWhatSurvivesOrAnError(_ file: String) throws {
    let path = Clip.folder.appendingPathComponent(file).path
    var frames = 0
    do {
      let reader = try MediaReader(url: path)
      while let frame = try reader.readFrame() {
        frames += 1
        #expect(frame.size == reader.video.size)
      }
      #expect(frames > 0)
      #expect(reader.statistics.decodeErrors + reader.statistics.damagedFrames > 0)
    } catch {
      #expect(!error.description.isEmpty)
      #expect(frames == 0)
    }
  }
}

import Foundation
import Frames
import Media
import TestSupport
import Testing

import FFmpegIO

/// Subtitles of files, as values.
@Suite struct SubtitleReaderTests {
  private static let text =
    "1\n00:00:00,500 --> 00:00:01,250\nOne <i>line</i>\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n"

  private static func titles(_ scratch: Scratch, _ text: String = text) throws -> String {
    let path = scratch.path("a.srt")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static func script(_ track: SubtitleTrack) throws -> SubtitleScript {
    guard case .script(let script) = track.content else {
      Issue.record("It is not text.")
      throw CancellationError()
    }
    return script
  }

  private static func pictures(_ track: SubtitleTrack) throws -> [SubtitlePicture] {
    guard case .pictures(let pictures) = track.content else {
      Issue.record("They are no pictures.")
      throw CancellationError()
    }
    return pictures
  }

  @Test(arguments: [("subrip", "mkv"), ("ass", "mkv"), ("webvtt", "webm"), ("mov_text", "mp4")])
  func textOfContainers(_ codec: String, _ suffix: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("in." + suffix)
    let encoder = suffix == "webm" ? "libvpx-vp9" : "libx264"
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=4", "-i", Self.titles(scratch), "-c:v", encoder,
      "-c:s",
      codec, path,
    ])
    let track = try SubtitleReader(url: path, stream: 1).read()
    let script = try Self.script(track)
    #expect(track.count == 2 && track.errors == 0 && script.isNative == (codec == "ass"))
    #expect(String(decoding: script.header, as: UTF8.self).contains("[V4+ Styles]"))
    #expect(script.lines.map(\.start) == [500, 2000])
    #expect(script.lines.map(\.duration) == [750, 1000])
    #expect(String(decoding: script.lines[1].text, as: UTF8.self).hasSuffix(",Two"))
    let later = try Self.script(SubtitleReader(url: path, stream: 1).read(movedBy: 1.5))
    #expect(later.lines.map(\.start) == [2000, 3500])
  }

  @Test func filesOfTheirOwn() throws {
    let scratch = try Scratch()
    let script = try Self.script(SubtitleReader(url: Self.titles(scratch), stream: 0).read())
    #expect(script.lines.map(\.start) == [500, 2000])
  }

  @Test func attachedFonts() throws {
    let scratch = try Scratch()
    let script = try Self.script(SubtitleReader(url: scratch.clipOfManyStreams("in.mkv"), stream: 3).read())
    #expect(script.fonts.map(\.name) == ["font.ttf"] && script.fonts[0].bytes.count == 4000)
  }

  @Test func picturesOfBluRay() throws {
    let scratch = try Scratch()
    var titles = BluRaySubtitles(width: 1920, height: 1080)
    titles.show(.init(x: 700, y: 900, width: 400, height: 60), at: 1.5)
    titles.show(nil, at: 2.5)
    titles.show(.init(x: 10, y: 20, width: 30, height: 40), at: 3, color: [81, 240, 90, 128])
    let path = scratch.path("a.sup")
    try titles.data.write(to: URL(fileURLWithPath: path))
    let track = try SubtitleReader(url: path, stream: 0).read()
    let pictures = try Self.pictures(track)
    #expect(track.count == 2 && track.errors == 0)
    #expect(pictures.map(\.start) == [1_500_000, 2_500_000, 3_000_000])
    #expect(pictures.allSatisfy { $0.end == nil && $0.hasSquarePixels && $0.canvas == Size(width: 1920, height: 1080) })
    #expect(pictures.map(\.parts.count) == [1, 0, 1])
    let part = try #require(pictures[0].parts.first)
    #expect(part.x == 700 && part.y == 900 && part.picture.size == Size(width: 400, height: 60))
    part.picture.forEachRun { _, _, _, color in #expect(color == SIMD4(235, 128, 128, 255)) }
    #expect(pictures[0].coding == .bt709)
    // As coded: luma, Cb, Cr and alpha.
    pictures[2].parts[0].picture.forEachRun { _, _, _, color in
      #expect(color == SIMD4(81, 90, 240, 128))
    }
  }

  @Test(arguments: [("dvdsub", "mkv"), ("dvbsub", "ts")])
  func picturesThatFFmpegEncodes(_ codec: String, _ suffix: String) throws {
    let scratch = try Scratch()
    var titles = BluRaySubtitles(width: 720, height: 576)
    titles.show(.init(x: 100, y: 400, width: 300, height: 60), at: 1)
    titles.show(nil, at: 2)
    let (source, path) = (scratch.path("a.sup"), scratch.path("in." + suffix))
    try titles.data.write(to: URL(fileURLWithPath: source))
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=720x576:rate=25:duration=3", "-i", source, "-c:v", "mpeg2video", "-c:s",
      codec,
      "-map", "0", "-map", "1", path,
    ])
    let pictures = try Self.pictures(SubtitleReader(url: path, stream: 1).read())
    let shown = try #require(pictures.first { !$0.parts.isEmpty })
    #expect(!shown.hasSquarePixels && shown.canvas == Size(width: 720, height: 576))
    let part = try #require(shown.parts.first)
    let area = try #require(part.picture.visibleArea)
    #expect(part.x + area.x == 100 && part.y + area.y == 400 && area.width == 300 && area.height == 60)
  }

  /// The clock of the second recording jumps, and subtitles with it.
  @Test func subtitlesOfJoinedRecordings() throws {
    let scratch = try Scratch()
    var titles = BluRaySubtitles(width: 720, height: 576)
    titles.show(.init(x: 100, y: 400, width: 300, height: 60), at: 1)
    titles.show(nil, at: 2)
    let (source, path) = (scratch.path("a.sup"), scratch.path("joined.ts"))
    try titles.data.write(to: URL(fileURLWithPath: source))
    var joined = Data()
    for offset in [100, 500] {
      let part = scratch.path("\(offset).ts")
      try Tool.ffmpeg.run([
        "-f", "lavfi", "-i", "testsrc2=size=720x576:rate=25:duration=3", "-i", source, "-c:v", "mpeg2video", "-c:s",
        "dvbsub", "-map", "0", "-map", "1", "-output_ts_offset", "\(offset)", part,
      ])
      joined += try Data(contentsOf: URL(fileURLWithPath: part))
    }
    try joined.write(to: URL(fileURLWithPath: path))
    let shown = try Self.pictures(SubtitleReader(url: path, stream: 1).read()).filter { !$0.parts.isEmpty }
    #expect(shown.count == 2 && abs(shown[1].start - shown[0].start - 3_000_000) < 200_000, "\(shown.map(\.start))")
  }

  @Test func limitsAreErrors() throws {
    let scratch = try Scratch()
    let path = try Self.titles(scratch)
    var limits = SubtitleReader.Limits()
    limits.count = 1
    #expect(throws: FFmpegError.self) { try SubtitleReader(url: path, stream: 0, limits: limits).read() }
    limits = SubtitleReader.Limits()
    limits.bytes = 10
    #expect(throws: FFmpegError.self) { try SubtitleReader(url: path, stream: 0, limits: limits).read() }
    limits = SubtitleReader.Limits()
    limits.textBytes = 5
    #expect(try SubtitleReader(url: path, stream: 0, limits: limits).read().errors == 2)
    #expect(throws: FFmpegError.noSubtitles(path: path)) { try SubtitleReader(url: path, stream: 1).read() }
    let video = try scratch.clip("v.mkv", ["-c:v", "ffv1"])
    #expect(throws: FFmpegError.noSubtitles(path: video)) { try SubtitleReader(url: video, stream: 0).read() }
  }

  /// A few runs that stand for more pixels than any film has are not kept, nor what exceeds a lower limit.
  @Test func hugePicturesAreRefused() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.sup")
    func errors(_ width: Int, _ height: Int, limits: SubtitleReader.Limits = SubtitleReader.Limits()) throws -> Int {
      var titles = BluRaySubtitles(width: width, height: height)
      titles.show(.init(x: 0, y: 0, width: min(width, 16_383), height: height > 1080 ? min(height, 9000) : 400), at: 1)
      try titles.data.write(to: URL(fileURLWithPath: path))
      let track = try SubtitleReader(url: path, stream: 0, limits: limits).read()
      let kept = try Self.pictures(track).flatMap(\.parts).reduce(0) {
        $0 + $1.picture.size.width * $1.picture.size.height
      }
      #expect(kept <= limits.pixels)
      return kept > 0 ? 0 : track.errors
    }
    #expect(try errors(65_535, 65_535) > 0)
    #expect(try errors(16_383, 9000) > 0)
    #expect(try errors(1920, 1080) == 0)
    var limits = SubtitleReader.Limits()
    limits.pixels = 640 * 480
    #expect(try errors(1920, 1080, limits: limits) > 0)
    #expect(try errors(640, 480, limits: limits) == 0)
  }

  /// Text that is no UTF-8 is counted, not dropped in silence.
  @Test func undecodableTextIsCounted() throws {
    let scratch = try Scratch()
    let path = scratch.path("latin.srt")
    let text = Self.text.replacing("Two", with: "Fünf")
    try #require(text.data(using: .isoLatin1)).write(to: URL(fileURLWithPath: path))
    let track = try SubtitleReader(url: path, stream: 0).read()
    #expect(track.count == 1 && track.errors == 1)
  }

  /// Bytes that were changed anywhere give an error or what survives.
  @Test func damagedFilesEnd() throws {
    let scratch = try Scratch()
    var titles = BluRaySubtitles(width: 1920, height: 1080)
    for second in 0..<5 { titles.show(.init(x: 700, y: 900, width: 400, height: 60), at: Double(second)) }
    var generator = Xorshift(seed: 5)
    for _ in 0..<100 {
      var data = titles.data
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        data[Int.random(in: 0..<data.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      let path = scratch.path("damaged.sup")
      try data.write(to: URL(fileURLWithPath: path))
      _ = try? SubtitleReader(url: path, stream: 0).read()
    }
  }
}

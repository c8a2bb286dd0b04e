import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Options of containers, and where the index of an MP4 is.
@Suite struct MuxerOptionTests {
  private func settings(_ url: String, _ options: [(String, String)] = []) -> MediaWriter.Settings {
    var settings = MediaWriter.Settings(
      url: url, encoder: "mpeg4", size: Size(width: 128, height: 96), layout: PixelLayout(.ycbcr420, bitDepth: 8),
      timeBase: Rational(1, 25), frameRate: Rational(25, 1), color: .bt709)
    settings.muxerOptions = options
    return settings
  }

  private func write(_ settings: MediaWriter.Settings, frames: Int = 30) throws {
    let writer = try MediaWriter(settings)
    for index in 0..<frames {
      let frame = try writer.makeFrame(
        time: FrameTime(presentation: Int64(index), duration: 1, timeBase: Rational(1, 25)))
      for y in 0..<96 { for x in 0..<128 { frame.setSample((x * y + index * 9) & 0xFF, plane: 0, x: x, y: y) } }
      try writer.write(frame)
    }
    #expect(try writer.finish().sentences.isEmpty)
  }

  /// A writer that has got black frames and is not finished.
  private func begun(_ settings: MediaWriter.Settings, frames: Int) throws -> MediaWriter {
    let writer = try MediaWriter(settings)
    for index in 0..<frames {
      let time = FrameTime(presentation: Int64(index), duration: 1, timeBase: Rational(1, 25))
      try writer.write(try writer.makeFrame(time: time))
    }
    return writer
  }

  /// The boxes of a file, in order.
  private func boxes(_ path: String) throws -> [String] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var (offset, names) = (0, [String]())
    while offset + 8 <= data.count {
      let size = data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      names.append(String(decoding: data[offset + 4..<offset + 8], as: UTF8.self))
      offset += max(size, 8)
    }
    return names
  }

  private func decoded(_ path: String) throws -> Data {
    try Tool.ffmpeg.run(["-i", path, "-map", "0:v", "-f", "framemd5", "-"])
  }

  @Test(arguments: ["mp4", "mov", "m4v"])
  func theIndexComesFirst(_ suffix: String) throws {
    let scratch = try Scratch()
    try write(settings(scratch.path("a.\(suffix)")))
    let found = try boxes(scratch.path("a.\(suffix)")).filter { ["moov", "mdat"].contains($0) }
    #expect(found == ["moov", "mdat"])
    try write(settings(scratch.path("b.\(suffix)"), [("movflags", "-faststart")]))
    #expect(try boxes(scratch.path("b.\(suffix)")).last == "moov")
    #expect(try decoded(scratch.path("a.\(suffix)")) == decoded(scratch.path("b.\(suffix)")))
    #expect(scratch.contents.count == 2)
  }

  /// Seconds that a playlist lists.
  private func listed(_ path: String) throws -> Double {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
      .reduce(0) { $0 + (Double($1.dropFirst(8).prefix { $0 != "," }) ?? 0) }
  }

  @Test func playlistsListTheWholeFilm() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.m3u8")
    var settings = settings(path, [("hls_time", "1")])
    (settings.encoder, settings.encoderOptions) = ("libx264", [("keyint", "25"), ("scenecut", "0")])
    try write(settings, frames: 200)
    #expect(try listed(path) == 8)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("#EXT-X-PLAYLIST-TYPE:VOD"))
  }

  /// What the options leave out is reported.
  @Test func playlistsOfSomeSegments() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.m3u8")
    var settings = settings(path, [("hls_time", "1"), ("hls_list_size", "3")])
    (settings.encoder, settings.encoderOptions) = ("libx264", [("keyint", "25"), ("scenecut", "0")])
    let writer = try begun(settings, frames: 200)
    #expect(
      try writer.finish().sentences == ["The output does not hold 125 of its 200 pictures in the playlist."])
  }

  /// FFmpeg's muxer opens them by itself.
  @Test func segmentsAreNotReplacedUnasked() throws {
    let scratch = try Scratch()
    let segment = scratch.path("a0.ts")
    try Data("another".utf8).write(to: URL(fileURLWithPath: segment))
    var settings = settings(scratch.path("a.m3u8"))
    (settings.encoder, settings.replacesFile) = ("libx264", false)
    #expect(throws: FFmpegError.output(.exists(path: segment))) { try write(settings) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: segment)) == Data("another".utf8))
    #expect(scratch.contents == ["a0.ts"])
    settings.replacesFile = true
    try write(settings)
    #expect(Set(scratch.contents) == ["a0.ts", "a.m3u8"])
  }

  @Test func segmentsOfAFailureAreRemoved() throws {
    let scratch = try Scratch()
    let writer = try begun(settings(scratch.path("a.m3u8"), [("hls_time", "0.1")]), frames: 50)
    #expect(scratch.contents.count > 2)
    writer.cancel()
    #expect(scratch.contents == [])
  }

  /// It has no other name for a part.
  @Test func stoppedPlaylistsSaySo() throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.m3u8"))
    settings.encoder = "libx264"
    let writer = try begun(settings, frames: 10)
    #expect(
      try writer.finishPartial().sentences
        == ["It was stopped: the output has its own name, and holds the part that was encoded."])
    // Nothing has a name.
    (settings.url, settings.format) = ("-", "null")
    #expect(try begun(settings, frames: 10).finishPartial().sentences.isEmpty)
  }

  /// The tags lie before the pictures, which move.
  @Test func freeTagsMoveThePictures() throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.mp4"))
    settings.tags = ["title": "T", "MOOD": String(repeating: "ö", count: 5000), "other": "x"]
    try write(settings)
    try write(self.settings(scratch.path("plain.mp4")))
    #expect(try boxes(settings.url).filter { ["moov", "mdat"].contains($0) } == ["moov", "mdat"])
    let probe = try Probe(settings.url, ["-show_format"])
    #expect(probe.format?.tags?["MOOD"] == settings.tags["MOOD"] && probe.format?.tags?["title"] == "T")
    #expect(try decoded(settings.url) == decoded(scratch.path("plain.mp4")))
  }

  @Test(arguments: [
    [("movflags", "+frag_keyframe")], [("movflags", "frag_keyframe+empty_moov")], [("frag_duration", "200000")],
  ])
  func fragmentsAreMadeWhereTheyAreAskedFor(_ options: [(String, String)]) throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.mp4"), options)
    settings.tags = ["MOOD": "blue"]
    try write(settings)
    #expect(try Data(contentsOf: URL(fileURLWithPath: settings.url)).range(of: Data("mvex".utf8)) != nil)
    #expect(try Probe(settings.url, ["-show_format"]).format?.tags?["MOOD"] == "blue")
    try write(self.settings(scratch.path("plain.mp4")))
    #expect(try decoded(settings.url) == decoded(scratch.path("plain.mp4")))
  }

  @Test func optionsReachMatroska() throws {
    let scratch = try Scratch()
    try write(settings(scratch.path("a.mkv")))
    try write(settings(scratch.path("b.mkv"), [("reserve_index_space", "5000")]))
    func bytes(_ name: String) throws -> Int { try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))).count }
    #expect(try bytes("b.mkv") > bytes("a.mkv") + 4000)
    // Rewrites the file.
    try write(settings(scratch.path("c.mkv"), [("cues_to_front", "1")]))
    let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("c.mkv")))
    let (cues, cluster) = (Data([0x1C, 0x53, 0xBB, 0x6B]), Data([0x1F, 0x43, 0xB6, 0x75]))
    let header = try #require(data.range(of: cluster))
    #expect(try #require(data.range(of: cues, options: .backwards, in: 0..<header.lowerBound)).lowerBound > 100)
    #expect(try decoded(scratch.path("c.mkv")) == decoded(scratch.path("a.mkv")))
  }

  @Test func optionsThatDoNotExist() throws {
    let scratch = try Scratch()
    #expect(throws: FFmpegError.unknownMuxerOption(format: "matroska", name: "nonsense")) {
      try MediaWriter(settings(scratch.path("a.mkv"), [("nonsense", "1")]))
    }
    #expect(throws: FFmpegError.invalidMuxerOption(format: "mp4", name: "movflags", value: "nonsense")) {
      try MediaWriter(settings(scratch.path("a.mp4"), [("movflags", "nonsense")]))
    }
    #expect(scratch.contents.isEmpty)
  }
}

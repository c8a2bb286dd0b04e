import ColorScience
import FFmpegIO
import Frames
import Media
import TestSupport
import Testing

/// The table of containers agrees with FFmpeg.
@Suite struct ContainerTraitsTests {
  private static let names = ContainerTraits.rows.flatMap(\.names)
  private static let layout = PixelLayout(.ycbcr420, bitDepth: 8)

  @Test func everyNameIsThatOfOneMuxer() throws {
    #expect(Set(Self.names).count == Self.names.count)
    for name in Self.names { #expect(try MediaWriter.formatName(url: "film", format: name) == name) }
  }

  @Test func demuxersHaveSeveralNames() {
    #expect(ContainerTraits.of("mov,mp4,m4a,3gp,3g2,mj2").family == .iso)
    #expect(ContainerTraits.of("matroska,webm").family == .matroska)
    for name in [nil, "", "caf", "webm_dash_manifest"] {
      let traits = ContainerTraits.of(name)
      #expect(traits.names.isEmpty && traits.family == .other && traits.holdsChapters && traits.videoCodecs == nil)
    }
  }

  /// What FFmpeg's muxers choose is among the only codecs.
  @Test func containersHoldTheirUsualVideo() throws {
    for row in ContainerTraits.rows where row.videoCodecs != nil && !row.isReadAsBT601 {
      for name in row.names {
        let usual = Encoders.defaultEncoder(forFormat: name, layout: Self.layout, color: .bt709)
        guard let encoder = usual else { continue }
        #expect(throws: Never.self, "\(name)") { try MediaWriter.check(encoder: encoder, url: "film", format: name) }
      }
    }
  }

  @Test func containersHoldTheirUsualSoundAndText() throws {
    let scratch = try Scratch()
    let reader = try MediaReader(url: scratch.clipOfManyStreams("in.mkv"))
    func copy(_ kind: StreamInfo.Kind) throws -> StreamCopy {
      let index = try #require(reader.info.streams.first { $0.kind == kind }?.index)
      return try #require(try reader.streamCopy(index))
    }
    let (sound, text) = (try copy(.audio), try copy(.subtitle))
    func holds(_ copy: StreamCopy, as encoder: String, _ name: String) throws -> Bool {
      let made = try MediaWriter.encoded(copy, as: StreamEncoding(encoder: encoder), url: "film", format: name)
      return try MediaWriter.holds(made, url: "film", format: name)
    }
    for row in ContainerTraits.rows {
      for name in row.names {
        if let encoder = row.audioEncoder { #expect(try holds(sound, as: encoder, name), "\(name)") }
        if let encoder = row.textEncoder { #expect(try holds(text, as: encoder, name), "\(name)") }
      }
    }
  }

  /// FFmpeg would write any codec under these names.
  @Test(arguments: ["film.m1v", "film.m2v"])
  func streamsOfMPEGVideoHoldNothingElse(_ name: String) {
    let error = #expect(throws: FFmpegError.self) { try MediaWriter.check(encoder: "mpeg4", url: name) }
    guard case .codecNotHeld? = error else {
      Issue.record("\(name): \(error.map(String.init(describing:)) ?? "")")
      return
    }
  }

  @Test func barePicturesHaveNoTimes() throws {
    for name in ContainerTraits.rows.filter(\.isBare).flatMap(\.names) {
      #expect(try !MediaWriter.keepsTimes(url: "film", format: name), "\(name)")
    }
  }

  /// Files are read back.
  @Test(arguments: [
    ("mp4", "mpeg4"), ("mov", "mpeg4"), ("ipod", "mpeg4"), ("ismv", "mpeg4"), ("f4v", "libx264"), ("3gp", "mpeg4"),
    ("3g2", "mpeg4"), ("matroska", "mpeg4"), ("webm", "libvpx"), ("mpegts", "mpeg4"), ("mpeg", "mpeg2video"),
    ("vob", "mpeg2video"), ("mxf", "mpeg2video"), ("avi", "mpeg4"), ("ogg", "libtheora"), ("flv", "flv"),
    ("wtv", "mpeg2video"), ("nut", "mpeg4"), ("asf", "mpeg4"), ("mpeg1video", "mpeg1video"),
    ("mpeg2video", "mpeg2video"),
  ])
  func chaptersAndTitlesAreHeld(_ name: String, _ encoder: String) throws {
    guard Encoders.available[encoder] != nil else { return }
    let scratch = try Scratch()
    let base = Rational(1, 25)
    var settings = MediaWriter.Settings(
      url: scratch.path("film"), format: name, encoder: encoder, size: Size(width: 176, height: 144),
      layout: Self.layout, timeBase: base, frameRate: Rational(25, 1), color: .bt709)
    settings.tags = ["title": "Film"]
    settings.chapters = [
      Chapter(id: 1, start: 0, end: 10, timeBase: base, tags: ["title": "One"]),
      Chapter(id: 2, start: 10, end: 25, timeBase: base, tags: ["title": "Two"]),
    ]
    let writer = try MediaWriter(settings)
    for index in 0..<25 {
      try writer.write(try writer.makeFrame(time: FrameTime(presentation: Int64(index), duration: 1, timeBase: base)))
    }
    try writer.finish()
    let info = try MediaReader(url: settings.url).info
    let traits = ContainerTraits.of(name)
    #expect(info.chapters.count == (traits.holdsChapters ? 2 : 0))
    let hasTitle = info.tags["title"] == "Film" || info.streams.contains { $0.title == "Film" }
    #expect(hasTitle == (traits.tags?.contains("title") ?? true), "\(info.tags)")
  }
}

import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Bit rates, buffers and passes, as the encoders write them into their streams.
@Suite struct RateTests {
  private static let size = Size(width: 128, height: 96)
  private static let layout = PixelLayout(.ycbcr420, bitDepth: 8)

  private func settings(_ url: String, _ encoder: String, _ change: (inout RateControl) -> Void) -> MediaWriter.Settings
  {
    var settings = MediaWriter.Settings(
      url: url, encoder: encoder, size: Self.size, layout: Self.layout, timeBase: Rational(1, 25),
      frameRate: Rational(25, 1), color: .bt709)
    settings.preset = ["libx264": "ultrafast", "libx265": "ultrafast", "libsvtav1": "12"][encoder]
    change(&settings.rate)
    return settings
  }

  /// Noise that only bits can tell.
  private func fill(_ frame: CodedFrame, _ random: inout Xorshift) {
    for plane in 0..<frame.layout.planeCount {
      let extent = frame.layout.planeSize(plane, of: frame.size)
      for y in 0..<extent.height {
        for x in 0..<extent.width { frame.setSample(Int(random.next() & 0x7F) + 64, plane: plane, x: x, y: y) }
      }
    }
  }

  private func frames(_ count: Int, _ make: (FrameTime) throws -> CodedFrame, _ write: (CodedFrame) throws -> Void)
    throws
  {
    var random = Xorshift(seed: 7)
    for index in 0..<count {
      let frame = try make(FrameTime(presentation: Int64(index), duration: 1, timeBase: Rational(1, 25)))
      fill(frame, &random)
      try write(frame)
    }
  }

  private func write(_ settings: MediaWriter.Settings, count: Int = 25) throws -> Int {
    let writer = try MediaWriter(settings)
    try frames(count, { try writer.makeFrame(time: $0) }, { try writer.write($0) })
    try writer.finish()
    return writer.bytesWritten
  }

  /// The settings that x264 and x265 write into a message of the stream.
  private func message(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  @Test(arguments: [("libx264", "vbv_maxrate=400 vbv_bufsize=800"), ("libx265", "vbv-maxrate=400 vbv-bufsize=800")])
  func ratesReachTheEncoder(_ encoder: String, _ buffer: String) throws {
    let scratch = try Scratch()
    let settings = settings(scratch.path("a.mkv"), encoder) {
      ($0.average, $0.maximum, $0.buffer) = (300_000, 400_000, 800_000)
    }
    _ = try write(settings)
    let text = try message(settings.url)
    #expect(text.contains("bitrate=300") && text.contains("rc=abr"))
    #expect(text.contains(buffer))
  }

  @Test(arguments: [("libx264", "vbv_maxrate=400 vbv_bufsize=400"), ("libx265", "vbv-maxrate=400 vbv-bufsize=400")])
  func aMaximumHasABufferOfOneSecond(_ encoder: String, _ buffer: String) throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.mkv"), encoder) { $0.maximum = 400_000 }
    settings.crf = 20
    _ = try write(settings)
    let text = try message(settings.url)
    #expect(text.contains("rc=crf") && text.contains("crf=20") && text.contains(buffer))
  }

  @Test(arguments: ["libsvtav1", "mpeg4", "libvpx-vp9", "libaom-av1"])
  func lessBitsMakeASmallerFile(_ encoder: String) throws {
    let scratch = try Scratch()
    func bytes(_ rate: Int) throws -> Int {
      try write(settings(scratch.path("\(rate).mkv"), encoder) { $0.average = rate }, count: 15)
    }
    let (few, many) = (try bytes(200_000), try bytes(2_000_000))
    #expect(Double(many) > 1.5 * Double(few), "\(few), \(many)")
  }

  @Test(arguments: ["libx264", "libx265", "libaom-av1", "libvpx-vp9", "libvpx", "libtheora"])
  func theSecondPassUsesTheFirst(_ encoder: String) throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.mkv"), encoder) { ($0.average, $0.isTwoPass) = (600_000, true) }
    // A frame lasts more than one tick.
    if encoder != "libtheora" { settings.timeBase = Rational(1, 1000) }
    let statistics = try PassStatistics(for: settings)
    let pass = try FirstPass(settings, statistics)
    try frames(25, { try pass.makeFrame(time: $0) }, { try pass.write($0) })
    try pass.finish()
    #expect(!FileManager.default.fileExists(atPath: settings.url))
    settings.pass = .second(statistics)
    let bytes = try write(settings)
    #expect(bytes > 45_000, "\(bytes) of 75,000")
    if encoder == "libx264" { #expect(try message(settings.url).contains("rc=2pass")) }
    if encoder == "libx265" { #expect(try message(settings.url).contains("stats-read=2")) }
    #expect(try #require(try Probe(settings.url, ["-show_packets"]).packets).count == 25)
  }

  /// Gigabytes for a film: they are where the film will be, and a killed run's are removed by the next.
  @Test func statisticsAreBesideTheOutput() throws {
    let scratch = try Scratch()
    let settings = settings(scratch.path("a.mkv"), "libx264") { ($0.average, $0.isTwoPass) = (600_000, true) }
    var statistics: PassStatistics? = try PassStatistics(for: settings)
    let made = try #require(scratch.contents.first)
    #expect(statistics != nil && scratch.contents.count == 1 && made.hasPrefix(".a.mkv.headroom-"))
    // It does not keep the second pass of this process from the output.
    #expect(!OutputFile.isBeingWritten(settings.url) && scratch.contents == [made])
    statistics = nil
    #expect(scratch.contents.isEmpty)
    for name in [".a.mkv.headroom-999999-1.part", ".a.mkv.headroom-999999-1.part.statistics.mbtree", "a.mkv.notes"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
    }
    #expect(!OutputFile.isBeingWritten(settings.url) && scratch.contents == ["a.mkv.notes"])
  }

  /// Encoders go on when their statistics cannot be written.
  @Test(arguments: ["libx264", "libx265"]) func aFullDiskIsNoticed(_ encoder: String) throws {
    let scratch = try Scratch()
    let settings = settings(scratch.path("a.mkv"), encoder) { ($0.average, $0.isTwoPass) = (600_000, true) }
    let statistics = try PassStatistics(for: settings)
    let lock = try #require(scratch.contents.first)
    for name in ["statistics", "statistics.temp"] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path(lock + "." + name), withDestinationPath: "/dev/full")
    }
    #expect(throws: FFmpegError.self) {
      let pass = try FirstPass(settings, statistics)
      try frames(25, { try pass.makeFrame(time: $0) }, { try pass.write($0) })
      try pass.finish()
    }
    statistics.discard()
    #expect(scratch.contents.isEmpty)
  }

  @Test func whatEncodersCanKeepTo() throws {
    func ability(_ name: String) throws -> Encoders.RateAbility { try #require(Encoders.rateAbility(name)) }
    #expect(try ability("libx264").crf == 0...51 && ability("libx265").crf == 0...51)
    #expect(try ability("libsvtav1").crf == 1...63 && ability("libaom-av1").crf == 0...63)
    #expect(try ability("ffv1").isLossless && !ability("ffv1").keepsBitRate && ability("ffv1").crf == nil)
    #expect(try !ability("prores_ks").keepsBitRate && !ability("dnxhd").keepsBitRate)
    #expect(try ability("mpeg4").keepsBitRate && ability("mpeg4").boundsBitRate && !ability("mpeg4").boundsQuality)
    #expect(try ability("libsvtav1").boundsQuality && !ability("libsvtav1").boundsBitRate)
    #expect(try !ability("libsvtav1").hasTwoPasses && ability("libx265").hasTwoPasses)
    #expect(try ability("libx264").boundsBitRate && ability("libx264").boundsQuality && !ability("libx264").bothAtOnce)
    #expect(Encoders.rateAbility("nonsense") == nil)
    #expect(Encoders.defaults("mpeg4").bitRate == 200_000)
  }

  @Test(arguments: [
    ("hevc", "libx265"), ("h265", "libx265"), ("x265", "libx265"), ("h264", "libx264"), ("avc", "libx264"),
    ("x264", "libx264"), ("AV1", "libsvtav1"), ("vp9", "libvpx-vp9"), ("prores", "prores"), ("mpeg4", "mpeg4"),
    ("libx265", "libx265"), ("nonsense", "nonsense"),
  ])
  func namesOfCodecsAreThoseOfEncoders(_ name: String, _ encoder: String) {
    #expect(Encoders.named(name) == encoder)
  }
}

import ColorScience
import Displays
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// What is said about encoders, their rates and their options, and what is refused.
@Suite struct CodingMessageTests {
  private static func request(_ change: (inout CodingRequest) -> Void) -> TranscodeRequest {
    var request = TranscodeRequest(input: Sample.hdr10, output: "/tmp/nowhere-\(getpid()).mkv")
    change(&request.coding)
    return request
  }

  private static func expectRefused(
    _ message: Message, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout CodingRequest) -> Void
  ) {
    expectRefusal(message, sourceLocation: sourceLocation) { try $0.plan(request(change)) }
  }

  private static func expectRefused(
    _ code: Message.Code, _ part: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout CodingRequest) -> Void
  ) {
    expectRefusal(code, part, sourceLocation: sourceLocation) { try $0.plan(request(change)) }
  }

  @Test func qualitiesAreThoseOfTheEncoder() {
    Self.expectRefused("crf-out-of-range", "libx264 accepts crf 0 to 51, not 52.") {
      ($0.encoder, $0.crf) = ("h264", 52)
    }
    Self.expectRefused("crf-out-of-range", "libsvtav1 accepts crf 1 to 63, not 0.") {
      ($0.encoder, $0.crf) = ("av1", 0)
    }
    // The container's default.
    Self.expectRefused("crf-out-of-range", "libx264 accepts crf 0 to 51, not 60.") { $0.crf = 60 }
    Self.expectRefused("no-crf", "ffv1 has no CRF: it is lossless, leave out crf.") {
      ($0.encoder, $0.crf) = ("ffv1", 20)
    }
    Self.expectRefused("no-crf", "prores_ks has no CRF: it has encoderOptions profile=VALUE.") {
      ($0.encoder, $0.crf) = ("prores_ks", 20)
    }
    Self.expectRefused(.exclusive(.bitrate, .crf)) {
      ($0.encoder, $0.crf, $0.rate.average) = ("libx265", 20, 1_000_000)
    }
  }

  @Test func ratesAreThoseOfTheEncoder() {
    Self.expectRefused("no-bit-rate", "ffv1 is lossless and cannot keep to a bit rate: leave out bitrate.") {
      ($0.encoder, $0.rate.average) = ("ffv1", 1_000_000)
    }
    Self.expectRefused("no-bit-rate", "prores_ks cannot keep to a bit rate: leave out maxBitrate, and see") {
      ($0.encoder, $0.rate.maximum) = ("prores_ks", 1_000_000)
    }
    Self.expectRefused("no-maximum-bit-rate", "libsvtav1 honours maxBitrate only together with constant quality") {
      ($0.encoder, $0.rate.average, $0.rate.maximum) = ("libsvtav1", 1_000_000, 2_000_000)
    }
    Self.expectRefused("no-maximum-bit-rate", "mpeg4 honours maxBitrate only together with bitrate") {
      ($0.encoder, $0.rate.maximum) = ("mpeg4", 2_000_000)
    }
    Self.expectRefused("no-maximum-bit-rate", "libaom-av1 does not honour maxBitrate") {
      ($0.encoder, $0.rate.maximum) = ("libaom-av1", 2_000_000)
    }
    expectRefusal("no-two-passes", "libsvtav1 does not support two-pass encoding", "libx265") {
      try $0.plan(
        Self.request { ($0.encoder, $0.rate.average, $0.rate.isTwoPass) = ("libsvtav1", 1_000_000, true) })
    }
  }

  @Test func ratesThatContradictThemselves() {
    Self.expectRefused("maximum-below-bit-rate", "maxBitrate 1k is below bitrate 2k:") {
      ($0.rate.average, $0.rate.maximum) = (2000, 1000)
    }
    Self.expectRefused("maximum-below-bit-rate", "maxBitrate 3M is below bitrate 4500k:") {
      ($0.rate.average, $0.rate.maximum) = (4_500_000, 3_000_000)
    }
    Self.expectRefused("needs-other-option", "bufferSize is for maxBitrate") {
      ($0.rate.average, $0.rate.buffer) = (2000, 1000)
    }
    Self.expectRefused("two-passes-without-bit-rate", "add bitrate") { ($0.crf, $0.rate.isTwoPass) = (20, true) }
    for rate in [0, -1, 999, 2_000_000_001, .max, .min] {
      Self.expectRefused(.outOfRange(.bitrate, "\(rate)", "1000", "2000000000 bit/s")) { $0.rate.average = rate }
      Self.expectRefused(.outOfRange(.maxBitrate, "\(rate)", "1000", "2000000000 bit/s")) { $0.rate.maximum = rate }
      Self.expectRefused(.outOfRange(.bufferSize, "\(rate)", "1000", "2000000000 bit")) { $0.rate.buffer = rate }
    }
  }

  /// Of what an encoder is told twice it takes one, and the other would be announced.
  @Test func nothingIsSaidTwice() {
    let cases: [(Parameter, String, String, (inout CodingRequest) -> Void)] = [
      (.crf, "libx265", "crf", { $0.crf = 30 }), (.bitrate, "libx265", "crf", { $0.rate.average = 300_000 }),
      (.crf, "libx264", "bitrate", { $0.crf = 20 }), (.crf, "libx264", "qp", { $0.crf = 30 }),
      (.maxBitrate, "libx264", "vbv-maxrate", { $0.rate.maximum = 400_000 }),
      (.maxBitrate, "libx264", "vbv-bufsize", { $0.rate.maximum = 400_000 }),
      (.crf, "libsvtav1", "crf", { $0.crf = 30 }), (.crf, "libvpx-vp9", "crf", { $0.crf = 20 }),
      (.preset, "libsvtav1", "preset", { $0.preset = "8" }), (.preset, "libaom-av1", "cpu-used", { $0.preset = "8" }),
      (.bitrate, "libx265", "bitrate", { $0.rate.average = 300_000 }),
      (.twoPass, "libx265", "stats", { ($0.rate.average, $0.rate.isTwoPass) = (300_000, true) }),
    ]
    for (stated, encoder, option, state) in cases {
      let text = "\(option) in encoderOptions conflicts with \(stated.rawValue): give only one of them."
      let hint = option == "vbv-bufsize" ? " bufferSize sets the buffer." : ""
      Self.expectRefused("option-conflict", text + hint) {
        ($0.encoder, $0.encoderOptions) = (encoder, [.init(option, "10")])
        state(&$0)
      }
    }
    Self.expectRefused("option-conflict", "crf in x265Params conflicts with crf:") {
      ($0.encoder, $0.crf, $0.ownOptions) = ("hevc", 30, [.init(.x265, [.init("crf", "10")])])
    }
  }

  @Test func namesAreNames() {
    Self.expectRefused("empty-name", "encoder needs a name") { $0.encoder = "" }
    Self.expectRefused("empty-name", "preset needs a name") { $0.preset = "" }
    Self.expectRefused("video-not-copied", "encoder copy does not exist") { $0.encoder = "copy" }
    Self.expectRefused("crf-out-of-range", "libvpx accepts crf 4 to 63, not 3.") {
      ($0.encoder, $0.crf) = ("vp8", 3)
    }
  }

  @Test func ratesThatNobodyChose() throws {
    try expectWarning("bit-rate-assumed", "mpeg4 uses 200 kbit/s") {
      try $0.plan(Self.request { $0.encoder = "mpeg4" })
    }
    let heard = try heard { session in
      _ = try session.plan(Self.request { ($0.encoder, $0.rate.average) = ("mpeg4", 1_000_000) })
      _ = try session.plan(Self.request { ($0.encoder, $0.encoderOptions) = ("mpeg4", [.init("qmin", "3")]) })
    }
    #expect(!heard.warnings.contains { $0.code == "bit-rate-assumed" })
  }

  private static let libraries: [(CodingRequest.OwnOptions.Library, Parameter, String)] = [
    (.x264, .x264Params, "libx265"), (.x265, .x265Params, "libsvtav1"), (.svtAV1, .svtav1Params, "libx264"),
  ]

  @Test(arguments: libraries)
  func optionsAreForOneEncoder(_ library: CodingRequest.OwnOptions.Library, _ parameter: Parameter, _ encoder: String) {
    Self.expectRefused("options-of-another-encoder", "\(parameter.rawValue) is not for \(encoder), the encoder") {
      ($0.encoder, $0.ownOptions) = (encoder, [.init(library, [.init("tune", "1")])])
    }
  }

  @Test func twoPassesAreForFiles() throws {
    var pattern = PatternRequest("ramp", output: "/tmp/nowhere.mkv")
    (pattern.coding.rate.average, pattern.coding.rate.isTwoPass) = (1_000_000, true)
    expectRefusal("two-passes-need-transcode") { try $0.plan(pattern) }
    var scopes = ScopesRequest(input: Sample.hdr10, output: "/tmp/nowhere.mkv")
    scopes.coding = pattern.coding
    expectRefusal("two-passes-need-transcode") { try $0.plan(scopes) }
    let scratch = try Scratch()
    let pipe = scratch.path("pipe.mkv")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    var request = TranscodeRequest(input: pipe, output: scratch.path("out.mkv"))
    request.coding.rate = pattern.coding.rate
    expectRefusal("input-not-repeatable", "'\(pipe)'", "which twoPass needs") { try $0.plan(request) }
    var following = Self.request { $0.rate = pattern.coding.rate }
    following.mapping.display = DisplayStatus(
      DisplayModel("panel", peak: 600, sdrWhite: 100, primaries: .displayP3, transfer: .pq))
    following.following = DisplayFollowing(.events([]))
    expectRefusal(.exclusive(.follow, .twoPass)) { try $0.plan(following) }
  }

  @Test func theBufferIsTold() throws {
    let plan = { (session: Session) in
      try session.plan(Self.request { ($0.encoder, $0.rate.maximum) = ("libx265", 2_000_000) })
    }
    try expectNote("buffer-assumed", "one-second buffer (2 Mbit)") { try plan($0) }
    #expect(try plan(Session()).video.rate.buffer == 2_000_000)
  }

  /// Both passes render every frame, and nothing stays of the first.
  @Test(arguments: ["libx264", "libx265", "libvpx-vp9"])
  func bothPassesSeeAllFrames(_ encoder: String) throws {
    let scratch = try Scratch()
    var request = TranscodeRequest(
      input: try scratch.made("in.mkv", frames: 12, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"] + Scratch.pq),
      output: scratch.path("out.mkv"))
    (request.coding.encoder, request.coding.layout) = (encoder, PixelLayout(.ycbcr420, bitDepth: 8))
    (request.coding.rate.average, request.coding.rate.isTwoPass) = (300_000, true)
    let heard = try heard { try $0.run(request) }
    #expect(heard.notes.filter { $0.code == "first-of-two-passes" }.count == 1)
    #expect(try #require(try Probe(scratch.path("out.mkv"), ["-show_packets"]).packets).count == 12)
    #expect(Set(scratch.contents) == ["in.mkv", "out.mkv"])
  }

  /// What would stop the second pass stops the first.
  @Test func impossibleOutputsAreFoundBefore() throws {
    let scratch = try Scratch()
    var request = TranscodeRequest(input: Sample.hdr10, output: scratch.path("out.mkv"))
    (request.coding.rate.average, request.coding.rate.isTwoPass) = (300_000, true)
    request.coding.muxerOptions = [.init("nonsense", "1")]
    let heard = Heard()
    #expect(throws: (any Error).self) { try Session(onEvent: heard.add).run(request) }
    #expect(!heard.notes.contains { $0.code == "first-of-two-passes" } && scratch.contents.isEmpty)
  }

  @Test func theEncodingIsToldWithItsDefaults() throws {
    func encoding(_ change: (inout CodingRequest) -> Void) throws -> String? {
      try Session().plan(Self.request(change)).video.encoding
    }
    #expect(try encoding { _ in } == "libx264, preset medium, CRF 23")
    #expect(try encoding { $0.encoder = "hevc" } == "libx265, preset medium, CRF 28")
    #expect(try encoding { $0.encoder = "av1" } == "libsvtav1, preset 10, CRF 35")
    #expect(try encoding { $0.encoder = "libaom-av1" } == "libaom-av1, preset 6, CRF 32")
    #expect(try encoding { $0.encoder = "ffv1" } == "ffv1")
    #expect(try encoding { $0.encoder = "mpeg4" } == "mpeg4, 200 kbit/s")
    #expect(
      try encoding {
        ($0.encoder, $0.preset) = ("x265", "slow")
        ($0.rate.average, $0.rate.maximum, $0.rate.isTwoPass) = (4_500_000, 8_000_000, true)
      } == "libx265, preset slow, 4.5 Mbit/s, at most 8 Mbit/s, buffer 8 Mbit, two passes")
    #expect(
      try encoding { ($0.encoder, $0.encoderOptions) = ("x264", [.init("qp", "20")]) }
        == "libx264, preset medium, qp 20")
    // What only options say is what counts, the last of them.
    #expect(
      try encoding {
        $0.encoderOptions = [.init("crf", "11"), .init("vbv-maxrate", "900"), .init("crf", "12")]
      } == "libx264, preset medium, crf 12, vbv-maxrate 900")
    #expect(
      try encoding {
        ($0.encoder, $0.rate.average, $0.encoderOptions) = ("vp9", 300_000, [.init("crf", "31")])
      } == "libvpx-vp9, preset 2, crf 31, 300 kbit/s")
  }
}

import ColorScience
import Foundation
import Frames
import Media
import TestSupport
import Testing
import ToneMapping

import Sessions
import SessionsTestSupport

/// Messages about the meaning of an input's samples.
@Suite struct SourceMessageTests {
  private static func transcode(
    _ input: String, _ change: (inout TranscodeRequest) -> Void = { _ in }
  ) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: nil)
    request.coding.format = "null"
    change(&request)
    return request
  }

  /// HDR10+ of a display of 450 cd/m², with a curve.
  private static let hdr10Plus: [UInt8] = {
    var bits = BitWriter()
    for (value, width) in [
      (0xB5, 8), (0x3C, 16), (1, 16), (4, 8), (1, 8), (1, 2), (450, 27), (0, 1), (12_345, 17), (23_456, 17), (3456, 17),
      (789, 17), (2, 4), (50, 7), (600, 17), (99, 7), (20_000, 17), (17, 10), (0, 1), (1, 1), (55, 12), (111, 12),
      (3, 4), (200, 10), (600, 10), (900, 10), (1, 1), (5, 6),
    ] { bits.put(value, width) }
    return bits.bytes
  }()

  /// ST 2094-50: a reference white of 100 cd/m², a headroom of three stops, and one rendition without headroom.
  private static let renditions: [UInt8] = {
    var bits = BitWriter()
    for (value, width) in [
      (0xB5, 8), (0x90, 16), (1, 16), (0, 8), (3, 2), (0, 6), (500, 16), (30_000, 16), (0, 1), (1, 3), (2, 2), (0, 2),
      (0, 16), (0, 8), (1, 5), (1, 1), (0, 2), (1000, 16), (8000, 16), (0, 16), (30_000, 16),
    ] { bits.put(value, width) }
    return bits.bytes
  }()

  @Test func tagsThatAreMissing() throws {
    let scratch = try Scratch()
    let input = try scratch.made("a.mkv", ["-c:v", "ffv1", "-pix_fmt", "yuv420p"])
    let taken = try Session().plan(Self.transcode(input)).source.color
    #expect(taken.transfer == .bt709 && taken.matrix == .smpte170M)
    try expectWarning("not-fully-tagged", input, taken.words) { try $0.plan(Self.transcode(input)) }
    expectRefusal("not-fully-tagged", input, taken.words, kind: .failed, strict: true) {
      try $0.plan(Self.transcode(input) { $0.input.isStrict = true })
    }
  }

  @Test func metadataThatIsNotBelieved() throws {
    let scratch = try Scratch()
    let display = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(1000,50)"
    let input = try scratch.hevc("a.hevc", ":hdr10=1:master-display=\(display):max-cll=500,100")
    let reason = "the mastering display's peak of 0.1 cd/m² is outside 80 to 10000 cd/m²"
    try expectWarning("metadata-ignored", reason) { try $0.plan(Self.transcode(input)) }
  }

  @Test func lightWithoutAUnit() throws {
    let scratch = try Scratch()
    let input = try scratch.lightPicture()
    try expectNote("unknown-linear-unit", input) { try $0.plan(Self.transcode(input)) }
  }

  @Test func fields() throws {
    let scratch = try Scratch()
    let coding = ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-pix_fmt", "yuv420p"] + Scratch.bt709
    let top = try scratch.made("a.mkv", coding + ["-top", "1"])
    try expectNote("interlaced", "top field first: each field is processed by itself.") {
      try $0.plan(Self.transcode(top))
    }
    let odd = try scratch.made("b.mkv", size: "128x98", coding + ["-top", "0"])
    try expectNote("interlaced", "bottom field first.") { try $0.plan(Self.transcode(odd)) }
  }

  @Test func measuredLight() throws {
    var light: MeasuredLight?
    let heard = try heard { session in
      let plan = try session.plan(
        Self.transcode(Sample.hdr10) {
          $0.metadata.inputLight = .measured
          $0.selection.range = FrameRange(first: 0, last: 1)
        })
      light = plan.measured
    }
    let measured = try #require(light)
    #expect(measured.maxCLL > measured.maxFALL && measured.maxFALL > 0)
    let (maxCLL, maxFALL) = (measured.maxCLL.rounded(), measured.maxFALL.rounded())
    let peak = measured.peak.rounded()
    let text = try #require(heard.notes.first { $0.code == "light-measured" }?.words)
    #expect(text.contains("MaxCLL \(maxCLL.words) cd/m², MaxFALL \(maxFALL.words) cd/m²"), "\(text)")
    #expect(text.hasSuffix(peak < maxCLL ? "; mapped for \(peak.words) cd/m²." : "MaxFALL \(maxFALL.words) cd/m²."))
  }

  @Test func curvesOfHDR10Plus() throws {
    let scratch = try Scratch()
    let input = try scratch.hevc("a.hevc", message: Self.hdr10Plus)
    try expectNote("follows-hdr10plus-curves", "450 cd/m²") { try $0.plan(Self.transcode(input)) }
    try expectNote("follows-hdr10plus-peaks") {
      try $0.plan(Self.transcode(input) { $0.mapping.curve = .named(.system) })
    }
    try expectNote("dynamic-metadata-unused", "HDR10+") {
      let plan = try $0.plan(Self.transcode(input) { $0.rendering.usesDynamicMetadata = false })
      #expect(plan.source.unusedMetadata == [.hdr10Plus])
    }
    try expectNote("no-hdr10plus-curve") {
      try $0.plan(Self.transcode(Sample.hdr10) { $0.mapping.curve = .hdr10Plus })
    }
  }

  @Test func renditionsOfTheContent() throws {
    let scratch = try Scratch()
    let input = try scratch.hevc("a.hevc", message: Self.renditions)
    try expectNote("follows-renditions", "headroom 3 stops", "reference white 100 cd/m²") {
      try $0.plan(Self.transcode(input))
    }
    try expectNote("follows-reference-white", "reference white 100 cd/m², peak 800 cd/m²") {
      try $0.plan(Self.transcode(input) { $0.mapping.curve = .named(.system) })
    }
    try expectNote("dynamic-metadata-unused", "ST 2094-50") {
      let plan = try $0.plan(Self.transcode(input) { $0.rendering.usesDynamicMetadata = false })
      #expect(plan.source.unusedMetadata == [.adaptiveToneMap])
    }
  }

  @Test func dolbyVision() throws {
    guard let five = clip("dv5_sparks"), let eight = clip("dv81_regular"), let nine = clip("dv9_avc") else { return }
    expectRefusal("unsupported-dolby-vision", five, "Dolby Vision profile 5,", kind: .failed) {
      try $0.plan(Self.transcode(five))
    }
    // Nothing is said about a missing RPU.
    try expectNote("dolby-vision-base-layer", "profile 8.1: rendered from its HDR10 base layer.") {
      let plan = try $0.plan(Self.transcode(eight))
      #expect(!plan.notes.contains { $0.words.contains("no RPU") })
    }
    try expectNote("dolby-vision-base-layer", "profile 9.2: rendered from its base layer (marked SDR-compatible") {
      let plan = try $0.plan(Self.transcode(nine))
      #expect(!plan.notes.contains { $0.words.contains("no RPU") })
    }
    // A raw stream has no configuration.
    let scratch = try Scratch()
    let (unmarked, marked) = (scratch.path("five.hevc"), scratch.path("eight.hevc"))
    for (input, output) in [(five, unmarked), (eight, marked)] {
      try Tool.ffmpeg.run(["-i", input, "-c", "copy", "-frames:v", "4", "-f", "hevc", output])
    }
    expectRefusal("unmarked-dolby-vision", unmarked, kind: .failed) { try $0.plan(Self.transcode(unmarked)) }
    try expectNote("rpu-without-configuration") { try $0.plan(Self.transcode(marked)) }
  }

  @Test func codesThatCannotBeProcessed() {
    expectRefusal("unsupported-transfer", "'\(Sample.hdr10)'", "'log100' (H.273 code 9)", kind: .failed) {
      try $0.plan(Self.transcode(Sample.hdr10) { $0.input.overrides.transfer = .log100 })
    }
    var table = LUTRequest()
    table.overrides.transfer = .log100
    expectRefusal("unsupported-transfer", "'the input'", "'log100'", kind: .failed) { try $0.plan(table) }
  }
}

import ColorScience
import Foundation
import Frames
import Media
import TestSupport
import Testing
import ToneMapping

import Sessions

/// Diagnostics about the meaning of an input's samples.
@Suite struct SourceDiagnosticTests {
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
    let diagnostic = Diagnostic.source(.isNotFullyTagged(name: input, assumed: taken))
    try expectWarning(diagnostic) { try $0.plan(Self.transcode(input)) }
    expectRefusal(diagnostic, .failed, strict: true) { try $0.plan(Self.transcode(input) { $0.input.isStrict = true }) }
  }

  @Test func metadataThatIsNotBelieved() throws {
    let scratch = try Scratch()
    let display = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(1000,50)"
    let input = try scratch.hevc("a.hevc", ":hdr10=1:master-display=\(display):max-cll=500,100")
    let reason = "the mastering display's peak of 0.1 cd/m² is outside 80 to 10000 cd/m²"
    try expectWarning(.source(.ignoredMetadata(reason))) { try $0.plan(Self.transcode(input)) }
  }

  @Test func lightWithoutAUnit() throws {
    let scratch = try Scratch()
    let input = try scratch.lightPicture()
    try expectNote(.source(.hasUnknownUnit(name: input))) { try $0.plan(Self.transcode(input)) }
  }

  @Test func fields() throws {
    let scratch = try Scratch()
    let coding = ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-pix_fmt", "yuv420p"] + Scratch.bt709
    let top = try scratch.made("a.mkv", coding + ["-top", "1"])
    try expectNote(.source(.isInterlaced(.topFirst, byField: true))) { try $0.plan(Self.transcode(top)) }
    let odd = try scratch.made("b.mkv", size: "128x98", coding + ["-top", "0"])
    try expectNote(.source(.isInterlaced(.bottomFirst, byField: false))) { try $0.plan(Self.transcode(odd)) }
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
    #expect(
      heard.notes.contains(.source(.measured(maxCLL: measured.maxCLL, maxFALL: measured.maxFALL, peak: measured.peak))))
  }

  @Test func curvesOfHDR10Plus() throws {
    let scratch = try Scratch()
    let input = try scratch.hevc("a.hevc", message: Self.hdr10Plus)
    try expectNote(.source(.followsHDR10PlusCurves(peak: 450))) { try $0.plan(Self.transcode(input)) }
    try expectNote(.source(.followsHDR10PlusPeaks)) {
      try $0.plan(Self.transcode(input) { $0.mapping.curve = .named(.system) })
    }
    try expectNote(.source(.dynamicMetadataIsUnused([.hdr10Plus]))) {
      try $0.plan(Self.transcode(input) { $0.rendering.usesDynamicMetadata = false })
    }
    try expectNote(.source(.hasNoHDR10PlusCurve)) {
      try $0.plan(Self.transcode(Sample.hdr10) { $0.mapping.curve = .hdr10Plus })
    }
  }

  @Test func renditionsOfTheContent() throws {
    let scratch = try Scratch()
    let input = try scratch.hevc("a.hevc", message: Self.renditions)
    try expectNote(.source(.followsRenditions(stops: 3, referenceWhite: 100))) {
      try $0.plan(Self.transcode(input))
    }
    try expectNote(.source(.followsReferenceWhite(100, peak: 800))) {
      try $0.plan(Self.transcode(input) { $0.mapping.curve = .named(.system) })
    }
    try expectNote(.source(.dynamicMetadataIsUnused([.adaptiveToneMap]))) {
      try $0.plan(Self.transcode(input) { $0.rendering.usesDynamicMetadata = false })
    }
  }

  @Test func dolbyVision() throws {
    guard let five = clip("dv5_sparks"), let eight = clip("dv81_regular"), let nine = clip("dv9_avc") else { return }
    expectRefusal(.source(.isUnsupportedDolbyVision(name: five, profile: 5)), .failed) {
      try $0.plan(Self.transcode(five))
    }
    try expectNote(.source(.isDolbyVision(profile: 8, compatibility: 1, lacksRPU: false))) {
      try $0.plan(Self.transcode(eight))
    }
    try expectNote(.source(.isDolbyVision(profile: 9, compatibility: 2, lacksRPU: false))) {
      try $0.plan(Self.transcode(nine))
    }
    // A raw stream has no configuration.
    let scratch = try Scratch()
    let (unmarked, marked) = (scratch.path("five.hevc"), scratch.path("eight.hevc"))
    for (input, output) in [(five, unmarked), (eight, marked)] {
      try Tool.ffmpeg.run(["-i", input, "-c", "copy", "-frames:v", "4", "-f", "hevc", output])
    }
    expectRefusal(.source(.isUnmarkedDolbyVision(name: unmarked)), .failed) { try $0.plan(Self.transcode(unmarked)) }
    try expectNote(.source(.hasRPUWithoutConfiguration)) { try $0.plan(Self.transcode(marked)) }
  }

  @Test func codesThatCannotBeProcessed() {
    expectRefusal(.source(.hasUnsupportedTransfer(name: Sample.hdr10, .log100)), .failed) {
      try $0.plan(Self.transcode(Sample.hdr10) { $0.input.overrides.transfer = .log100 })
    }
    var table = LUTRequest()
    table.overrides.transfer = .log100
    expectRefusal(.source(.hasUnsupportedTransfer(name: "the input", .log100)), .failed) { try $0.plan(table) }
  }
}

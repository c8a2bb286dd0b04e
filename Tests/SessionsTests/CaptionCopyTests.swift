import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Closed captions come through, or their loss is known before the first frame.
@Suite struct CaptionCopyTests {
  private func request(_ input: String, _ output: String, _ encoder: String) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output)
    request.coding.encoder = encoder
    if encoder.hasPrefix("libx") { request.coding.preset = "ultrafast" }
    request.overwrites = true
    return request
  }

  @Test(arguments: [("libx264", "a.mp4"), ("libx265", "a.mkv"), ("mpeg2video", "a.ts")])
  func everyPictureKeepsItsOwn(_ encoder: String, _ name: String) throws {
    guard let input = Case.path("captions_a53_hevc_hlg.ts") else { return }
    let scratch = try Scratch()
    let expected = try captions(input)
    #expect(expected.count == 12 && !expected.contains([]))
    var request = request(input, scratch.path(name), encoder)
    if encoder == "mpeg2video" { request.mapping.chosenKind = .sdr }
    try Session().run(request)
    #expect(try captions(scratch.path(name)) == expected)
  }

  @Test func lossesAreKnownBefore() throws {
    guard let input = Case.path("captions_a53_hevc_hlg.ts") else { return }
    let scratch = try Scratch()
    var request = request(input, scratch.path("a.mkv"), "ffv1")
    try expectWarning("no-place-for-captions", "which ffv1 has") { try $0.run(request) }
    request.input.isStrict = true
    expectRefusal("no-place-for-captions", "which ffv1 has", kind: .failed, strict: true) { try $0.plan(request) }
    (request.coding.encoder, request.selection.every) = ("libx264", 2)
    expectRefusal("captions-need-all-frames", kind: .failed, strict: true) { try $0.plan(request) }
  }

  @Test func probeNamesThem() throws {
    guard let input = Case.path("captions_a53_hevc_hlg.ts") else { return }
    #expect(try ProbeReport(InputRequest(input)).hasCaptions)
    #expect(try !ProbeReport(InputRequest(Sample.hdr10)).hasCaptions)
  }
}

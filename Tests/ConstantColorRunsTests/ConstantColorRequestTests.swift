import ConstantColor
import ConstantColorRuns
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// What a request for a picture of constant colour refuses, before anything is read.
@Suite struct ConstantColorRequestTests {
  private func refuses(
    _ message: Message, sourceLocation: SourceLocation = #_sourceLocation,
    output: String = "/nowhere/out.png", _ change: (inout ConstantColorRequest) -> Void = { _ in }
  ) {
    var request = ConstantColorRequest(.stills(ambient: "a.png", flash: "b.png"), output: output)
    change(&request)
    expectRefusal(message, sourceLocation: sourceLocation) { try $0.run(request) }
  }

  private func refuses(
    _ code: Message.Code, _ part: String, sourceLocation: SourceLocation = #_sourceLocation,
    output: String = "/nowhere/out.png", _ change: (inout ConstantColorRequest) -> Void = { _ in }
  ) {
    var request = ConstantColorRequest(.stills(ambient: "a.png", flash: "b.png"), output: output)
    change(&request)
    expectRefusal(code, part, sourceLocation: sourceLocation) { try $0.run(request) }
  }

  @Test func numbersOutOfRange() {
    for ratio in [0, -1, .nan, .infinity] {
      let refusal = refusal { session in
        var request = ConstantColorRequest(.stills(ambient: "a.png", flash: "b.png"), output: "/nowhere/out.png")
        request.exposureRatio = ratio
        return try session.run(request)
      }
      #expect(refusal?.message == .outOfRange(.exposureRatio, "\(ratio)", "0.000001", "1000000"))
    }
    refuses(.outOfRange(.minimumConfidence, "1.5", "0", "1")) { $0.minimumConfidence = 1.5 }
    refuses(.outOfRange(.flashTemperature, "100.0", "1667", "25000 K")) { $0.flash = .temperature(100) }
    refuses("neutral-not-positive", "not 1,0,1.") { $0.flash = .neutral(SIMD3(1, 0, 1)) }
    refuses(.outOfRange(.region, "101", "0", "100")) {
      let region = ConstantColorRequest.Region(area: PictureArea(x: 0, y: 0, width: 1, height: 1))
      $0.regions = Array(repeating: region, count: 101)
    }
    refuses("no-frame-pair", "Frames 3 and 3 ") {
      $0.source = .frames(of: "a.mkv", .numbered(ambient: 3, flash: 3))
    }
    refuses("region-name-taken", "'skin'") {
      let region = ConstantColorRequest.Region(area: PictureArea(x: 0, y: 0, width: 1, height: 1), name: "skin")
      $0.regions = [region, region]
    }
  }

  @Test func formats() {
    for name in ["/nowhere/out", "/nowhere/out.mkv", "-", "/nowhere/out.y4m", "/nowhere/out.raw"] {
      refuses("not-a-picture-name", "'\(name)'", output: name)
    }
    refuses("not-a-picture-name", "'f.mp4'") { $0.fallback = "f.mp4" }
    refuses("not-a-map-name", "'map.avif'") { $0.confidenceMap = "map.avif" }
    refuses("picture-space-unsupported", "png cannot carry extendedLinearSRGB:") { $0.space = .linearSRGB }
    refuses("picture-bit-depth-unsupported", "png takes bitDepth 16, 8, not 12.") { $0.bitDepth = 12 }
    refuses("picture-bit-depth-fixed", "exr of linear light", output: "/nowhere/out.exr") { $0.bitDepth = 16 }
  }

  @Test func names() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.png")
    refuses("same-file", "confidenceMap and output name", output: output) { $0.confidenceMap = output }
    refuses("same-file", "fallback and output name", output: output) { $0.fallback = output }
    refuses("same-file", "page and report name", output: output) {
      ($0.report, $0.page) = (scratch.path("r.html"), scratch.path("r.html"))
    }
    refuses("no-file-name", "report takes", output: output) { $0.report = "" }
    refuses("file-needed", "report takes", output: output) { $0.report = "http://x/y.json" }
    refuses("output-is-input", "'a.png' is", output: "a.png")
  }

  @Test func requestsAreValuesOfJSON() throws {
    var request = ConstantColorRequest(.frames(of: "a.mkv", .automatic), output: "out.png")
    request.flash = .neutral(SIMD3(1, 2, 3))
    request.regions = [ConstantColorRequest.Region(area: PictureArea(x: 1, y: 2, width: 3, height: 4), name: "skin")]
    let data = try JSONEncoder().encode(request)
    #expect(try JSONDecoder().decode(ConstantColorRequest.self, from: data) == request)
  }
}

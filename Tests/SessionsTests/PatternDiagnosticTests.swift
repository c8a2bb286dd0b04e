import ColorScience
import Foundation
import Frames
import ImageFiles
import Media
import Patterns
import TestSupport
import Testing

import Sessions

/// Diagnostics about generating test patterns.
@Suite struct PatternDiagnosticTests {
  private func refuses(
    _ diagnostic: Diagnostic, _ pattern: String, _ output: String,
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout PatternRequest) -> Void
  ) {
    var request = PatternRequest(pattern, output: output)
    change(&request)
    expectRefusal(diagnostic, sourceLocation: sourceLocation) { try $0.plan(request) }
  }

  @Test func whatPicturesDoNotHold() {
    refuses(
      .pattern(.cannotCarry(.hdr10, .png, .sRGB, allowed: [.bt2100PQ])), "ramp", "/nowhere/a.png"
    ) { $0.space = .sRGB }
    refuses(
      .pattern(.cannotCarry(.sdr, .exr, .bt2100PQ, allowed: [.linearBT2020, .linearP3, .linearSRGB])), "ramp",
      "/nowhere/a.exr"
    ) { ($0.kind, $0.space) = (.sdr, .bt2100PQ) }
    refuses(.pattern(.bitDepth(12, .png, isLinear: false)), "ramp", "/nowhere/a.png") { $0.bitDepth = 12 }
    refuses(.pattern(.bitDepth(.max, .exr, isLinear: true)), "ramp", "/nowhere/a.exr") { $0.bitDepth = .max }
    refuses(.pattern(.needsBits(pattern: "banding", 10)), "banding", "/nowhere/a.png") { $0.bitDepth = 8 }
    refuses(.pattern(.holdsOne(output: "/nowhere/a.png", .png)), "ramp", "/nowhere/a.png") { $0.duration = 2 }
  }

  @Test func whatVideoDoesNotHold() {
    let eight = PixelLayout(.ycbcr420, bitDepth: 8)
    refuses(
      .pattern(.needsBitsOfVideo(pattern: "banding", 10, layout: eight, encoder: "libx265")), "banding",
      "/nowhere/a.mkv"
    ) { ($0.coding.encoder, $0.coding.layout) = ("libx265", eight) }
    refuses(.pattern(.range(pattern: "bt2111-pq", .narrow)), "bt2111-pq", "/nowhere/a.mkv") { $0.range = .full }
    let whole = PixelLayout(.ycbcr444, bitDepth: 10)
    refuses(.pattern(.hasNoSiting(whole)), "ramp", "/nowhere/a.mkv") {
      ($0.coding.layout, $0.chromaLocation) = (whole, .left)
    }
  }

  @Test func whatIsForOthers() {
    let output = "/nowhere/a.png"
    refuses(.pattern(.isForVideo(.crf, output: output)), "ramp", output) { $0.coding.crf = 10 }
    refuses(.pattern(.isForVideo(.range, output: output)), "ramp", output) { $0.range = .full }
    refuses(.pattern(.isForVideo(.chromaLocation, output: output)), "ramp", output) { $0.chromaLocation = .left }
    refuses(.pattern(.isForPictures(.space)), "ramp", "/nowhere/a.mkv") { $0.space = .sRGB }
    refuses(.pattern(.isForPictures(.bitDepth)), "ramp", "/nowhere/a.mkv") { $0.bitDepth = 10 }
  }

  @Test func sizesKindsAndLengths() {
    let size = Size(width: 32, height: 64)
    refuses(.pattern(.size(size)), "ramp", "/nowhere/a.mkv") { $0.size = size }
    refuses(.pattern(.size(Size(width: 128, height: 32_768))), "ramp", "/nowhere/a.mkv") {
      ($0.size, $0.scale) = (Size(width: 32, height: 8192), 4)
    }
    refuses(.pattern(.kind(pattern: "edr", .sdr, allowed: [.hdr10])), "edr", "/nowhere/a.mkv") { $0.kind = .sdr }
    refuses(.pattern(.isTooLong(seconds: 1e9, frames: 10_000_000)), "ramp", "/nowhere/a.mkv") { $0.duration = 1e9 }
  }

  @Test func levelsThatAreClipped() throws {
    let scratch = try Scratch()
    var request = PatternRequest("bt2111-pq", output: scratch.path("a.png"))
    request.size = Size(width: 192, height: 108)
    try expectWarning(.pattern(.clipsLevels(pattern: "bt2111-pq"))) { try $0.run($0.plan(request)) }
    #expect(scratch.contents == ["a.png"])
  }

  /// The warning about 8-bit HDR applies to patterns as to transcodes.
  @Test func eightBitsOfHDR() throws {
    let scratch = try Scratch()
    var request = PatternRequest("ramp", output: scratch.path("a.nut"))
    (request.coding.encoder, request.coding.layout) = ("ffv1", PixelLayout(.ycbcr420, bitDepth: 8))
    (request.size, request.duration) = (Size(width: 128, height: 128), 0.04)
    try expectWarning(.output(.eightBitsOfHDR)) { try $0.run($0.plan(request)) }
  }
}

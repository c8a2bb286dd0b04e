import ColorScience
import Foundation
import Frames
import ImageFiles
import Media
import Patterns
import Scopes
import TestSupport
import Testing
import ToneMapping

import Sessions

/// Diagnostics about verifications, scopes and look-up tables.
@Suite struct ComparisonDiagnosticTests {
  private static func verify(
    _ pattern: String, _ change: (inout VerifyRequest) -> Void
  ) -> VerifyRequest {
    var request = VerifyRequest(input: Sample.hdr10, pattern: pattern)
    change(&request)
    return request
  }

  private static func scopes(_ output: String, _ change: (inout ScopesRequest) -> Void = { _ in }) -> ScopesRequest {
    var request = ScopesRequest(input: Sample.hdr10, output: output)
    change(&request)
    return request
  }

  private static func table(_ change: (inout LUTRequest) -> Void) -> LUTRequest {
    var request = LUTRequest()
    change(&request)
    return request
  }

  @Test func verifications() {
    expectRefusal(.verification(.tolerance(0))) { try $0.run(Self.verify("ramp") { $0.tolerance = 0 }) }
    expectRefusal(.verification(.size(Size(width: 32, height: 32)))) {
      try $0.run(Self.verify("ramp") { $0.size = Size(width: 32, height: 32) })
    }
    expectRefusal(.verification(.kind(pattern: "edr", .sdr, allowed: [.hdr10]))) {
      try $0.run(Self.verify("edr") { $0.kind = .sdr })
    }
    var mapping = MappingRequest()
    mapping.chosenKind = .hlg
    expectRefusal(.verification(.renditionIsFor(.hlg, .hdr10))) {
      try $0.run(Self.verify("ramp") { $0.rendition = RenditionRequest("x", mapping: mapping) })
    }
  }

  @Test func scopesThatCannotBe() throws {
    let scratch = try Scratch()
    expectRefusal(.scopes(.planeWithoutVectorscope)) {
      try $0.plan(Self.scopes(scratch.path("a.mkv")) { ($0.kinds, $0.plane) = ([.waveform], .ictcp) })
    }
    let size = Size(width: 8192, height: 8192)
    expectRefusal(.scopes(.isTooLarge(Size(width: 16_384, height: 16_384)))) {
      try $0.plan(Self.scopes(scratch.path("a.mkv")) { ($0.size, $0.scale) = (size, 2) })
    }
    expectRefusal(.scopes(.needsEightBits(.exr, allowed: [.png, .tiff, .avif, .jxl]))) {
      try $0.plan(Self.scopes(scratch.path("a.exr")))
    }
    let animation = scratch.path("a.gif")
    expectRefusal(.scopes(.cannotBeWritten(output: animation))) { try $0.plan(Self.scopes(animation)) }
    try expectNote(.scopes(.isOnePicture)) { try $0.plan(Self.scopes(scratch.path("a.png"))) }
  }

  /// What does not fit is an error of the module that draws, and traps nothing.
  @Test func scopesThatDoNotFit() throws {
    let scratch = try Scratch()
    for size in [Size(width: 0, height: 0), Size(width: .min, height: -1), Size(width: 100, height: 100)] {
      #expect(throws: ScopeError.self) { try Session().plan(Self.scopes(scratch.path("a.mkv")) { $0.size = size }) }
    }
    #expect(throws: ScopeError.noKinds) {
      try Session().plan(Self.scopes(scratch.path("a.mkv")) { $0.kinds = [] })
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1, 130, .max])
  func sizesOfTables(_ size: Int) {
    expectRefusal(.table(.size(size, allowed: 2...129, dimensions: .three))) {
      try $0.plan(Self.table { $0.size = size })
    }
  }

  @Test func tablesThatCannotBe() {
    expectRefusal(.table(.size(65_537, allowed: 2...65_536, dimensions: .one))) {
      try $0.plan(Self.table { ($0.dimensions, $0.size) = (.one, 65_537) })
    }
    expectRefusal(.table(.shaperOfCurve)) {
      try $0.plan(Self.table { ($0.dimensions, $0.shaper) = (.one, .combined) })
    }
    expectRefusal(.table(.tooSmallForShaper(2))) { try $0.plan(Self.table { ($0.size, $0.shaper) = (2, .split) }) }
    expectRefusal(.table(.changesWithScenes)) { try $0.plan(Self.table { $0.mapping.curve = .hdr10Plus }) }
    expectRefusal(.table(.shaperNeedsPeak)) {
      try $0.plan(Self.table { ($0.overrides.transfer, $0.shaper) = (.hlg, .combined) })
    }
    expectRefusal(.table(.contentPeakIsForPQ)) {
      try $0.plan(Self.table { ($0.overrides.transfer, $0.overrides.contentPeak) = (.hlg, 1000) })
    }
  }
}

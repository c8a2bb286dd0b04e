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
import SessionsTestSupport

/// Messages about verifications, scopes and look-up tables.
@Suite struct ComparisonMessageTests {
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
    expectRefusal("tolerance-out-of-range", "not 0.0.") { try $0.run(Self.verify("ramp") { $0.tolerance = 0 }) }
    expectRefusal("expected-size-out-of-range", "size 32x32 is out of range") {
      try $0.run(Self.verify("ramp") { $0.size = Size(width: 32, height: 32) })
    }
    expectRefusal("expected-kind-unavailable", "edr is not available as sdr, only as hdr10.") {
      try $0.run(Self.verify("edr") { $0.kind = .sdr })
    }
    var mapping = MappingRequest()
    mapping.chosenKind = .hlg
    expectRefusal("rendition-of-other-kind", "to=hlg", "input is HDR10") {
      try $0.run(Self.verify("ramp") { $0.rendition = RenditionRequest("x", mapping: mapping) })
    }
  }

  @Test func scopesThatCannotBe() throws {
    let scratch = try Scratch()
    expectRefusal("vectorscope-missing") {
      try $0.plan(Self.scopes(scratch.path("a.mkv")) { ($0.kinds, $0.plane) = ([.waveform], .ictcp) })
    }
    let size = Size(width: 8192, height: 8192)
    expectRefusal("scopes-too-large", "picture of 16384x16384") {
      try $0.plan(Self.scopes(scratch.path("a.mkv")) { ($0.size, $0.scale) = (size, 2) })
    }
    expectRefusal("scopes-need-8-bits", "which exr cannot hold", "png, tiff, avif, jxl or") {
      try $0.plan(Self.scopes(scratch.path("a.exr")))
    }
    let animation = scratch.path("a.gif")
    expectRefusal("scopes-format-unsupported", "'\(animation)'") { try $0.plan(Self.scopes(animation)) }
    try expectNote("one-frame-drawn") { try $0.plan(Self.scopes(scratch.path("a.png"))) }
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
    expectRefusal("table-size-out-of-range", "2 to 129 with dimensions 3, not \(size).") {
      try $0.plan(Self.table { $0.size = size })
    }
  }

  @Test func tablesThatCannotBe() {
    expectRefusal("table-size-out-of-range", "2 to 65536 with dimensions 1, not 65537.") {
      try $0.plan(Self.table { ($0.dimensions, $0.size) = (.one, 65_537) })
    }
    expectRefusal("shaper-of-1d-table") {
      try $0.plan(Self.table { ($0.dimensions, $0.shaper) = (.one, .combined) })
    }
    expectRefusal("table-too-small-for-shaper", "not 2.") {
      try $0.plan(Self.table { ($0.size, $0.shaper) = (2, .split) })
    }
    expectRefusal("table-of-changing-curve") { try $0.plan(Self.table { $0.mapping.curve = .hdr10Plus }) }
    expectRefusal("shaper-needs-lower-peak") {
      try $0.plan(Self.table { ($0.overrides.transfer, $0.shaper) = (.hlg, .combined) })
    }
    expectRefusal("content-peak-needs-pq") {
      try $0.plan(Self.table { ($0.overrides.transfer, $0.overrides.contentPeak) = (.hlg, 1000) })
    }
  }
}

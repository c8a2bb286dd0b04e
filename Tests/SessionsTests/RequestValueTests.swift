import ColorScience
import Foundation
import Frames
import ImageFiles
import Media
import Patterns
import Rendering
import Testing
import ToneMapping

import Sessions

/// Values of the parts that only some requests have.
@Suite struct RequestValueTests {
  private static let nowhere = ValidationTests.nowhere

  private static func transcode(_ change: (inout TranscodeRequest) -> Void = { _ in }) -> TranscodeRequest {
    var request = TranscodeRequest(input: nowhere, output: "/nowhere/out.mkv")
    change(&request)
    return request
  }

  private static func pictures(_ change: (inout PictureRequest) -> Void = { _ in }) -> PictureRequest {
    var request = PictureRequest(input: nowhere, output: "/nowhere/out-%d.png", format: .png)
    change(&request)
    return request
  }

  private static func scopes(_ change: (inout ScopesRequest) -> Void) -> ScopesRequest {
    var request = ScopesRequest(input: nowhere, output: "/nowhere/out.mkv")
    change(&request)
    return request
  }

  private static func verify(_ change: (inout VerifyRequest) -> Void) -> VerifyRequest {
    var request = VerifyRequest(input: nowhere, pattern: "ramp")
    change(&request)
    return request
  }

  private static func pattern(_ change: (inout PatternRequest) -> Void) -> PatternRequest {
    var request = PatternRequest("ramp", output: "/nowhere/out.mkv")
    change(&request)
    return request
  }

  @Test(arguments: [Double.nan, .infinity, -1, 0, 10_001])
  func lightIsRefused(_ nits: Double) {
    func outOfRange(_ parameter: Parameter) -> Diagnostic {
      .outOfRange(parameter, "\(nits)", "1.0", "10000.0 cd/m²")
    }
    let parts: [(Parameter, WritableKeyPath<MappingRequest, Double?>)] = [
      (.peak, \.peak), (.sdrWhite, \.sdrWhite), (.referenceWhite, \.referenceWhite),
    ]
    for (parameter, part) in parts {
      var mapping = MappingRequest()
      mapping[keyPath: part] = nits
      let table = { () -> LUTRequest in
        var request = LUTRequest()
        request.mapping = mapping
        return request
      }()
      expectRefusal(outOfRange(parameter)) { try $0.plan(Self.transcode { $0.mapping = mapping }) }
      expectRefusal(outOfRange(parameter)) { try $0.plan(Self.pictures { $0.mapping = mapping }) }
      expectRefusal(outOfRange(parameter)) { try $0.plan(table) }
      expectRefusal(outOfRange(parameter)) {
        try $0.run(Self.verify { $0.rendition = RenditionRequest("x", mapping: mapping) })
      }
    }
    expectRefusal(outOfRange(.peak)) { try $0.plan(Self.scopes { $0.peak = nits }) }
    expectRefusal(outOfRange(.sdrWhite)) { try $0.plan(Self.scopes { $0.sdrWhite = nits }) }
    expectRefusal(outOfRange(.referenceWhite)) { try $0.plan(Self.scopes { $0.referenceWhite = nits }) }
  }

  @Test(arguments: [Double.nan, .infinity, -1, 256])
  func qualityIsRefused(_ crf: Double) {
    func set(_ coding: inout CodingRequest) { (coding.encoder, coding.crf) = ("libx264", crf) }
    func refuses(_ body: (Session) throws -> Void) {
      guard case .coding(.crfIsOutOfRange(_, "libx264", 0, 51)) = refusal(body)?.diagnostic else {
        Issue.record("not refused")
        return
      }
    }
    refuses { _ = try $0.plan(Self.transcode { set(&$0.coding) }) }
    refuses { _ = try $0.plan(Self.scopes { set(&$0.coding) }) }
    refuses { _ = try $0.plan(Self.pattern { set(&$0.coding) }) }
  }

  @Test(arguments: [
    PixelLayout(.ycbcr420, bitDepth: 0), PixelLayout(.ycbcr420, bitDepth: -1), PixelLayout(.rgb, bitDepth: 100),
    PixelLayout(.ycbcr420, bitDepth: 9), PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar), .linearRGB,
  ])
  func layoutsAreRefused(_ layout: PixelLayout) {
    let diagnostic = Diagnostic.output(.hasNoPixelFormat(layout))
    expectRefusal(diagnostic) { try $0.plan(Self.transcode { $0.coding.layout = layout }) }
    expectRefusal(diagnostic) { try $0.plan(Self.scopes { $0.coding.layout = layout }) }
    expectRefusal(diagnostic) { try $0.plan(Self.pattern { $0.coding.layout = layout }) }
  }

  @Test(arguments: [0, -1, 9, .min, .max])
  func scalesAreRefused(_ scale: Int) {
    let diagnostic = Diagnostic.outOfRange(.scale, "\(scale)", "1", "8")
    expectRefusal(diagnostic) { try $0.plan(Self.scopes { $0.scale = scale }) }
    expectRefusal(diagnostic) { try $0.plan(Self.pattern { $0.scale = scale }) }
    expectRefusal(diagnostic) { try $0.run(Self.verify { $0.scale = scale }) }
  }

  @Test(arguments: [0, -1, 65, .min, .max])
  func rowStepsAreRefused(_ rows: Int) {
    expectRefusal(.outOfRange(.rows, "\(rows)", "1", "64")) { try $0.plan(Self.scopes { $0.rowStep = rows }) }
  }

  @Test(arguments: [
    Size(width: 0, height: 0), Size(width: -1, height: 100), Size(width: .min, height: .max),
    Size(width: .max, height: .min), Size(width: 100_000, height: 100_000),
  ])
  func sizesAreRefused(_ size: Size) {
    for scale in [1, 8] {
      let plan = refusal {
        try $0.plan(Self.pattern { ($0.size, $0.scale) = (size, scale) })
      }
      guard case .pattern(.size(let pixels)) = plan?.diagnostic else {
        Issue.record("\(String(describing: plan))")
        continue
      }
      #expect(!TestPattern.allows(pixels) && plan?.kind == .invalidRequest)
      expectRefusal(.verification(.size(size))) { try $0.run(Self.verify { ($0.size, $0.scale) = (size, scale) }) }
    }
  }

  @Test func sizesOfScopesAreRefused() {
    for size in [Size(width: .max, height: 100), Size(width: 16_384, height: 16_384)] {
      let plan = refusal { try $0.plan(Self.scopes { $0.size = size }) }
      guard case .scopes(.isTooLarge(let pixels)) = plan?.diagnostic else {
        Issue.record("\(String(describing: plan))")
        continue
      }
      #expect(pixels.width >= 16_384)
    }
  }

  @Test(arguments: [(0, 3), (3, 0), (-1, -1), (33, 1), (Int.max, Int.max), (Int.min, 2)])
  func gridsAreRefused(_ columns: Int, _ rows: Int) {
    expectRefusal(.outOfRange(.contact, "\(columns)x\(rows)", "1x1", "32x32")) {
      try $0.plan(Self.pictures { $0.contact = PictureRequest.Grid(columns: columns, rows: rows) })
    }
  }

  @Test func picturesAreRefused() {
    for number in [-1, .min, .max] {
      expectRefusal(.outOfRange(.startNumber, "\(number)", "0", "1000000000000")) {
        try $0.plan(Self.pictures { $0.startNumber = number })
      }
    }
    expectRefusal(.exclusive(.contact, .otherSelection)) {
      try $0.plan(
        Self.pictures {
          $0.contact = PictureRequest.Grid(columns: 2, rows: 2)
          $0.selection.at = 1
        })
    }
  }

  @Test(arguments: [Double.nan, .infinity, 0, -1, 101])
  func renditionsAreRefused(_ headroom: Double) {
    let rendition = RenditionRequest("x", mapping: MappingRequest(), headroom: headroom)
    expectRefusal(.outOfRange(.expectedHeadroom, "\(headroom)", "1", "100")) {
      try $0.run(Self.verify { $0.rendition = rendition })
    }
  }

  @Test func headroomIsNoPeak() {
    var mapping = MappingRequest()
    mapping.peak = 400
    let rendition = RenditionRequest("x", mapping: mapping, headroom: 4)
    expectRefusal(.exclusive(.expectedHeadroom, .peak)) { try $0.run(Self.verify { $0.rendition = rendition }) }
  }

  @Test(arguments: [Double.nan, .infinity, 0, -1, 1001])
  func tolerancesAreRefused(_ tolerance: Double) {
    let refusal = refusal { try $0.run(Self.verify { $0.tolerance = tolerance }) }
    guard case .verification(.tolerance(let refused)) = refusal?.diagnostic else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(refused.isNaN && tolerance.isNaN || refused == tolerance)
    #expect(refusal?.kind == .invalidRequest)
  }
}

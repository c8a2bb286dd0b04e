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
import SessionsTestSupport

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
    func outOfRange(_ parameter: Parameter) -> Message {
      .outOfRange(parameter, nits, 1...10_000, unit: "cd/m²")
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
      expectRefusal("crf-out-of-range", "libx264 accepts crf 0 to 51, not \(crf.words).") { try body($0) }
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
    func refuses<Plan>(_ body: (Session) throws -> Plan) {
      let samples = "\(layout.bitDepth)-bit \(layout.components.rawValue) samples"
      expectRefusal("no-pixel-format", samples) { try body($0) }
    }
    refuses { try $0.plan(Self.transcode { $0.coding.layout = layout }) }
    refuses { try $0.plan(Self.scopes { $0.coding.layout = layout }) }
    refuses { try $0.plan(Self.pattern { $0.coding.layout = layout }) }
  }

  @Test(arguments: [0, -1, 9, .min, .max])
  func scalesAreRefused(_ scale: Int) {
    let message = Message.outOfRange(.pointScale, "\(scale)", "1", "8")
    expectRefusal(message) { try $0.plan(Self.scopes { $0.scale = scale }) }
    expectRefusal(message) { try $0.plan(Self.pattern { $0.scale = scale }) }
    expectRefusal(message) { try $0.run(Self.verify { $0.scale = scale }) }
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
      #expect(plan?.message.code == "pattern-size-out-of-range" && plan?.kind == .invalidRequest)
      // The size in pixels.
      guard let text = plan?.message.words.firstMatch(of: #/not ([0-9]+)x([0-9]+):/#),
        let width = Int(text.output.1), let height = Int(text.output.2)
      else {
        Issue.record("\(String(describing: plan))")
        continue
      }
      #expect(!TestPattern.allows(Size(width: width, height: height)))
      expectRefusal("expected-size-out-of-range", "size \(size) is") {
        try $0.run(Self.verify { ($0.size, $0.scale) = (size, scale) })
      }
    }
  }

  @Test func sizesOfScopesAreRefused() {
    for size in [Size(width: .max, height: 100), Size(width: 16_384, height: 16_384)] {
      let plan = refusal { try $0.plan(Self.scopes { $0.size = size }) }
      #expect(plan?.message.code == "scopes-too-large")
      guard let text = plan?.message.words.firstMatch(of: #/picture of ([0-9]+)x/#),
        let width = Int(text.output.1)
      else {
        Issue.record("\(String(describing: plan))")
        continue
      }
      #expect(width >= 16_384)
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
    expectRefusal(.exclusive(.contact, .at)) {
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
    expectRefusal("tolerance-out-of-range", "not \(tolerance).") {
      try $0.run(Self.verify { $0.tolerance = tolerance })
    }
  }
}

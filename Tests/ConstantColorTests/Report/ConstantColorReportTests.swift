import ConstantColor
import Foundation
import Frames
import TestSupport
import Testing

@Suite struct ConstantColorReportTests {
  @Test(arguments: [
    FlashBasis.temperature(4200), .neutral([0.5, 1, 0.7]),
    .calibration(name: "own", meanDeltaE: 0.8, largestDeltaE: nil),
  ])
  func reportsAreReadAsTheyWereWritten(_ flash: FlashBasis) throws {
    let report = SampleReport.make(text: SampleReport.attack, flash: flash)
    let read = try ConstantColorReport(json: report.json())
    #expect(read == report)
    #expect(try read.json() == report.json())
  }

  @Test func keysAreInSnakeCaseAndInOrder() throws {
    let object = try #require(try JSONSerialization.jsonObject(with: SampleReport.make().json()) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "center_weighted_mean_confidence", "components", "exposure_ratio", "exposure_source", "flash", "format",
        "inputs", "is_believed", "min_confidence", "movement", "outputs", "program", "regions", "scale",
        "share_believed", "size", "time", "warnings",
      ])
    #expect(object["format"] as? Int == 1 && object["exposure_source"] as? String == "assumed_equal")
    #expect(object["time"] as? String == "2026-02-02T02:40:00Z")
    let outputs = try #require(object["outputs"] as? [String: Any])
    #expect(outputs["fallback"] is NSNull && outputs["confidence_map"] is NSNull)
    let region = try #require((object["regions"] as? [[String: Any]])?.last)
    #expect(region["name"] is NSNull && region.count == 7)
  }

  /// The red of sRGB (IEC 61966-2-1), white and black; there and back.
  @Test func colorsAreShown() {
    let red = SampleReport.region(nil, lab: [53.24, 80.09, 67.20])
    #expect(red.hexadecimal == "#FF0000")
    let xyz = red.xyz ?? .zero
    for (found, expected) in [(xyz.x, 0.4124), (xyz.y, 0.2126), (xyz.z, 0.0193)] {
      #expect(abs(found - expected) < 2e-4)
    }
    #expect(SampleReport.region(nil, lab: [100, 0, 0]).hexadecimal == "#FFFFFF")
    #expect(SampleReport.region(nil, lab: [0, 0, 0]).hexadecimal == "#000000")
    for lab: SIMD3<Double> in [[3, 1, -2], [61, -40, 33], [96, 4, 70]] {
      let back = CIELAB.fromXYZ(CIELAB.toXYZ(lab)) - lab
      #expect((back * back).sum() < 1e-18)
    }
  }

  @Test func whatIsNoNumberIsLeftOut() throws {
    let region = SampleReport.region(nil, lab: [.nan, 0, 0], uncertainty: [.infinity, 0, 0], confidence: .nan)
    #expect(region.lab == nil && region.uncertainty == nil && region.hexadecimal == nil && region.confidence == 0)
    let report = SampleReport.make(regions: [region, SampleReport.region(nil, lab: [1e5, 0, 0], confidence: 1.5)])
    #expect(try ConstantColorReport(json: report.json()) == report)
    var endless = report
    endless.measurement.scale = .infinity
    #expect(throws: ReportError.range(field: "scale")) { try endless.json() }
    endless.regions[0].lab = [1e300, -1e300, .nan]
    #expect(endless.regions[0].hexadecimal?.count == 7)
  }

  @Test(
    arguments: [
      (["format"], 2, ReportError.format(2)), (["format"], "1", .type(field: "format")),
      (["program"], nil, .missing(field: "program")), (["program"], 3, .type(field: "program")),
      (["inputs", "flash"], String(repeating: "x", count: 5000), .range(field: "inputs.flash")),
      (["time"], "yesterday", .range(field: "time")), (["flash", "basis"], "guess", .range(field: "flash.basis")),
      (["flash", "temperature"], -1, .range(field: "flash.temperature")),
      (["flash", "temperature"], nil, .missing(field: "flash.temperature")),
      (["exposure_source"], "dream", .range(field: "exposure_source")),
      (["exposure_ratio"], 0, .range(field: "exposure_ratio")),
      (["scale"], 1e300, .range(field: "scale")), (["size", "width"], 0, .range(field: "size.width")),
      (["size", "height"], Int.max, .range(field: "size.height")),
      (["movement", "x"], 1e20, .range(field: "movement.x")),
      (["center_weighted_mean_confidence"], 1.1, .range(field: "center_weighted_mean_confidence")),
      (["share_believed"], -0.1, .range(field: "share_believed")),
      (["min_confidence"], 2, .range(field: "min_confidence")),
      (["is_believed"], 1, .type(field: "is_believed")), (["regions"], ["a": 1], .type(field: "regions")),
      (["regions", "1", "lab"], [1, 2], .range(field: "regions[1].lab")),
      (["regions", "0", "lab"], [1, 2, 1e6], .range(field: "regions[0].lab")),
      (["regions", "0", "lab", "1"], "x", .type(field: "regions[0].lab[1]")),
      (["regions", "0", "uncertainty"], [1, 2, -1], .range(field: "regions[0].uncertainty")),
      (["regions", "0", "confidence"], nil, .missing(field: "regions[0].confidence")),
      (["regions", "0", "area", "width"], Int.max, .range(field: "regions[0].area.width")),
      (["regions", "0", "area", "x"], -1, .range(field: "regions[0].area")),
      (["regions", "0", "area", "y"], 1e30, .notJSON),
      (["warnings"], Array(repeating: "w", count: 300), .count(field: "warnings", maximum: 256)),
    ] as [([String], (any Sendable)?, ReportError)])
  func nonsenseIsNamed(_ path: [String], _ value: (any Sendable)?, _ error: ReportError) throws {
    let json = try SampleReport.json(path, value)
    #expect(throws: error) { try ConstantColorReport(json: json) }
  }

  @Test(arguments: ["", "{", "null", "[]", "3", "\"x\"", "{\"a\":1e999}", "\u{0}\u{1}", "{}{}"])
  func whatIsNoReportIsRefused(_ text: String) {
    #expect(throws: ReportError.self) { try ConstantColorReport(json: Data(text.utf8)) }
  }

  @Test func sizesAreBounded() throws {
    let regions = Array(repeating: SampleReport.region(nil), count: 1001)
    #expect(throws: ReportError.count(field: "regions", maximum: 1000)) {
      try SampleReport.make(regions: regions).json()
    }
    let bytes = ConstantColorReport.maximumBytes
    #expect(throws: ReportError.size(bytes: bytes + 1, maximum: bytes)) {
      try ConstantColorReport(json: Data(repeating: 0x20, count: bytes + 1))
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: ReportError.self) { try ConstantColorReport(json: Data(deep.utf8)) }
  }

  /// Reports with a damaged byte are read or refused.
  @Test func damagedBytesAreReadOrRefused() throws {
    let json = try SampleReport.make().json()
    var random = Xorshift(seed: 3)
    for _ in 0..<400 {
      var damaged = json
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<json.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let report = try? ConstantColorReport(json: damaged) else { continue }
      #expect(throws: Never.self) { try report.json() }
      _ = ConstantColorPage(report, pictures: .init()).html
    }
  }
}

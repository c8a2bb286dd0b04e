import ConstantColor
import Foundation
import Frames
import Testing

@Suite struct ColorComparisonTests {
  private func compared(_ name: String, _ regions: [ConstantColorReport.Region]) -> ComparedReport {
    ComparedReport(name: name, report: SampleReport.make(regions: regions))
  }

  /// Lightness tells which region is which.
  private func regions(_ names: [String?], _ lightness: [Double]) -> [ConstantColorReport.Region] {
    zip(names, lightness).map { SampleReport.region($0, lab: [$1, 0, 0]) }
  }

  private func lightness(_ comparison: ColorComparison) -> [[Double?]] {
    comparison.regions.map { region in region.readings.map { $0?.lab?.x } }
  }

  @Test func namesMatchWhereverTheyAre() throws {
    let comparison = try ColorComparison([
      compared("1", regions(["cheek", "lips"], [1, 2])),
      compared("2", regions(["lips", "cheek", "hair"], [12, 11, 13])),
      compared("3", regions(["hair"], [23])),
    ])
    #expect(comparison.regions.map(\.name) == ["cheek", "lips", "hair"])
    #expect(lightness(comparison) == [[1, 11, nil], [2, 12, nil], [nil, 13, 23]])
  }

  @Test func thoseWithoutNamesMatchByTheirPlace() throws {
    let comparison = try ColorComparison([
      compared("1", regions([nil, "lips", nil], [1, 2, 3])), compared("2", regions(["lips", nil, nil], [12, 11, 13])),
      compared("3", regions(["cheek", nil], [21, 22])), compared("4", regions([nil, nil, "cheek"], [31, 32, 33])),
    ])
    // A region that finds its place taken by a name is one of its own.
    #expect(comparison.regions.map(\.title) == ["cheek", "lips", "Region 3", "Region 4", "Region 5"])
    #expect(
      lightness(comparison) == [
        [1, nil, 21, 33], [2, 12, 22, 32], [3, 13, nil, nil], [nil, 11, nil, nil], [nil, nil, nil, 31],
      ])
  }

  @Test func equalNamesMatchInTheirOrder() throws {
    let comparison = try ColorComparison([
      compared("1", regions(["a", "a"], [1, 2])), compared("2", regions(["a", "a", "a"], [11, 12, 13])),
    ])
    #expect(lightness(comparison) == [[1, 11], [2, 12], [nil, 13]])
  }

  @Test func differencesAreFromTheReference() throws {
    // Pair 1 of the test data of Sharma, Wu, Dalal (2005): ΔE00 = 2.0425.
    let first: SIMD3<Double> = [50, 2.6772, -79.7751]
    let second: SIMD3<Double> = [50, 0, -82.7485]
    let reports = [
      compared("a", [SampleReport.region("x", lab: first)]), compared("b", [SampleReport.region("x", lab: second)]),
    ]
    let readings = try ColorComparison(reports).regions[0].readings.compactMap { $0?.difference }
    #expect(readings.map(\.deltaE)[0] == 0 && abs(readings[1].deltaE - 2.0425) < 1e-4)
    let turned = try ColorComparison(reports, reference: "b")
    #expect(turned.reference == 1)
    #expect(abs((turned.regions[0].readings[0]?.difference?.deltaE ?? 0) - 2.0425) < 1e-4)
    #expect(throws: ComparisonError.unknownReference("c")) { try ColorComparison(reports, reference: "c") }
  }

  /// Around L* = 50, where ΔE2000 of greys is that of L*, the uncertainties of both add in quadrature.
  @Test(arguments: [0.0, 5])
  func uncertaintiesAreThoseOfBoth(_ step: Double) throws {
    let comparison = try ColorComparison([
      compared("a", [SampleReport.region(nil, lab: [50 - step / 2, 0, 0], uncertainty: [0.3, 0, 0])]),
      compared("b", [SampleReport.region(nil, lab: [50 + step / 2, 0, 0], uncertainty: [0.4, 0, 0])]),
    ])
    let difference = try #require(comparison.regions[0].readings[1]?.difference)
    #expect(abs(difference.deltaE - step) < 0.01 && abs((difference.uncertainty ?? 0) - 0.5) < 0.01)
  }

  @Test func statisticsAreOfWhatIsBelieved() throws {
    var reports = [(49.0, 0.9), (51, 0.8), (90, 0.79), (53, 1)].enumerated().map { index, color in
      compared("\(index)", [SampleReport.region("x", lab: [color.0, 1, 2], confidence: color.1)])
    }
    reports.append(
      ComparedReport(
        name: "f", report: SampleReport.make(regions: [SampleReport.region("x", lab: [9, 0, 0])], isBelieved: false)))
    let comparison = try ColorComparison(reports)
    let statistics = try #require(comparison.regions[0].statistics)
    #expect(statistics.count == 3 && statistics.mean == [51, 1, 2] && statistics.spread == [2, 0, 0])
    #expect(abs(statistics.meanDifferenceFromMean - 4.0 / 3) < 0.03)
    #expect(comparison.regions[0].readings.map { $0?.isBelieved } == [true, true, false, true, false])
    #expect(comparison.warnings == [.fallback(capture: "f")])
  }

  @Test func whatElseDiffersIsSaid() throws {
    let base = ComparedReport(name: "a", report: SampleReport.make())
    let others = [
      SampleReport.make(components: "Other"), SampleReport.make(flash: .temperature(5000)),
      SampleReport.make(scale: 1.53), SampleReport.make(scale: 1.501),
    ]
    let reports = others.enumerated().map { ComparedReport(name: "\($0)", report: $1) }
    let warnings = try ColorComparison([base] + reports).warnings
    #expect(
      warnings.prefix(2) == [
        .components(capture: "0", found: "Other", reference: "Camera"),
        .flash(capture: "1", found: .temperature(5000), reference: .temperature(5500)),
      ])
    guard warnings.count == 3, case .scale("2", let ratio) = warnings[2] else {
      Issue.record("\(warnings)")
      return
    }
    #expect(abs(ratio - 1.02) < 1e-9)
  }

  @Test func boundsAreKept() throws {
    #expect(throws: ComparisonError.noReports) { try ColorComparison([]) }
    let one = ComparedReport(name: "a", report: SampleReport.make())
    #expect(throws: ComparisonError.tooManyReports(1001, maximum: 1000)) {
      try ColorComparison(Array(repeating: one, count: 1001))
    }
    let reports = (0..<400).map { report in
      compared("\(report)", (0..<5).map { SampleReport.region("\(report) \($0)") })
    }
    #expect(throws: ComparisonError.tooManyRegions(maximum: 500)) { try ColorComparison(reports) }
    #expect(throws: ComparisonError.unreadable(report: "x", .notJSON)) {
      try ComparedReport(name: "x", json: Data("nonsense".utf8))
    }
    let unreadable = ComparisonError.unreadable(report: "x", .missing(field: "format"))
    #expect(unreadable.description == "Cannot compare 'x': its field 'format' is missing.")
  }

  @Test func jsonHoldsEveryReading() throws {
    let comparison = try ColorComparison([
      compared("a", regions(["x", nil], [50, 20])), compared("b", regions(["x"], [51])),
    ])
    let object = try #require(try JSONSerialization.jsonObject(with: comparison.json()) as? [String: Any])
    #expect(object.keys.sorted() == ["captures", "format", "reference", "regions", "warnings"])
    #expect(object["reference"] as? String == "a")
    let regions = try #require(object["regions"] as? [[String: Any]])
    let readings = try #require(regions[1]["readings"] as? [Any])
    #expect(regions.count == 2 && readings.count == 2 && readings[1] is NSNull)
    let difference = ((regions[0]["readings"] as? [[String: Any]])?[1]["delta_e_2000"] as? Double) ?? 0
    #expect(abs(difference - 1) < 0.02)
  }

  @Test func tablesShowAllCapturesInNarrowLines() throws {
    let long = String(repeating: "very-long-name-", count: 20) + SampleReport.attack
    let reports = (0..<3).map { compared(long, regions([SampleReport.attack, nil], [50 + Double($0), -20])) }
    let text = try ComparisonTable(ColorComparison(reports)).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 110 } && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
    #expect(lines.count { $0.hasSuffix("reference") } == 2 && lines.count { $0.contains("mean of 3") } == 2)
    #expect(text.contains("52.00 ± 0.30") && text.contains("−20.00 ± 0.30"))
    #expect(try ComparisonTable(ColorComparison([compared("a", [])])).text.hasPrefix("No regions."))
  }
}

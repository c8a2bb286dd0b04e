internal import Foundation
internal import HTMLReports

/// A comparison as monospaced text for a terminal.
public struct ComparisonTable: Sendable {
  let comparison: ColorComparison

  /// Columns of the text.
  static let width = 110

  /// Creates the table of a comparison.
  public init(_ comparison: ColorComparison) { self.comparison = comparison }

  /// A table per region, then the warnings, without a final line break.
  public var text: String {
    let regions = comparison.regions.map(lines)
    let none = regions.isEmpty ? [["No regions."]] : regions
    let text = (none + (warnings.isEmpty ? [] : [warnings])).map { $0.joined(separator: "\n") }.joined(
      separator: "\n\n")
    // Terminals wrap lines anywhere, so non-breaking spaces have no use.
    return text.replacingOccurrences(of: "\u{A0}", with: " ")
  }

  private func lines(_ region: ColorComparison.Region) -> [String] {
    let columns: [TextColumns.Column] = [
      .init("capture", isNumeric: false), .init("L*"), .init("a*"), .init("b*"), .init("confidence"),
      .init("ΔE2000"), .init("", isNumeric: false),
    ]
    let rows = region.readings.enumerated().map { row($1, capture: $0) } + (region.statistics.map(rows) ?? [])
    return [region.title.visible.shortened(to: Self.width)]
      + TextColumns(columns, rows: rows, width: Self.width).lines
  }

  private func row(_ reading: ColorComparison.Reading?, capture: Int) -> [String] {
    let name = comparison.captures[capture].name.visible
    guard let reading else { return [name] + Array(repeating: Figures.none, count: 5) + ["no such region"] }
    let differenceWords = capture == comparison.reference ? nil : reading.differenceWords
    return [name] + (0..<3).map { Figures.value(reading.lab?[$0], reading.uncertainty?[$0]) } + [
      Figures.fixed(reading.confidence, 2), differenceWords ?? Figures.none,
      comparison.note(reading, capture: capture),
    ]
  }

  private func rows(_ statistics: RegionStatistics) -> [[String]] {
    func row(_ name: String, _ lab: SIMD3<Double>, _ deltaE: String) -> [String] {
      [name] + (0..<3).map { Figures.signedMinus(lab[$0], 2) } + ["", deltaE, deltaE.isEmpty ? "" : "from the mean"]
    }
    guard let spread = statistics.spread else { return [] }
    return [
      row("mean of \(statistics.count)", statistics.mean, ""),
      row("spread", spread, Figures.fixed(statistics.meanDifferenceFromMean, 2)),
    ]
  }

  private var warnings: [String] {
    guard !comparison.warnings.isEmpty else { return [] }
    return ["Warnings"] + comparison.warnings.flatMap { $0.words.visible.shortened(to: 600).listed(to: Self.width) }
  }
}

extension ColorComparison {
  /// Returns a note about a reading: "reference", "not believed".
  func note(_ reading: Reading, capture: Int) -> String {
    [capture == reference ? "reference" : nil, reading.isBelieved ? nil : reading.doubt].compactMap { $0 }
      .joined(separator: ", ")
  }
}

extension ColorComparison.Reading {
  fileprivate var doubt: String { lab == nil ? "not measured" : "not believed" }

  /// "1.23 ± 0.40".
  var differenceWords: String? { difference.map { Figures.value($0.deltaE, $0.uncertainty) } }
}

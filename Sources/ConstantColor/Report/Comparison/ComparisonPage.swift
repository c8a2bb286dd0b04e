internal import Foundation
internal import HTMLReports

/// A comparison as a self-contained HTML page without scripts or external resources.
public struct ComparisonPage: Sendable {
  let comparison: ColorComparison

  /// Maximum number of regions shown.
  static let maximumRegions = 40

  /// Creates the page of a comparison.
  public init(_ comparison: ColorComparison) { self.comparison = comparison }

  /// The complete page, which is also well-formed XML.
  public var html: String {
    let regions = comparison.regions.prefix(Self.maximumRegions).enumerated().map { section($1, index: $0) }
    let parts = [header, warnings].compactMap { $0 } + regions + [captures, footer]
    return Page(title: "Constant colour: \(title)", style: Self.style, content: parts).html
  }

  private var title: String {
    let captures = Figures.count(comparison.captures.count, "capture")
    guard comparison.regions.count == 1, let name = comparison.regions[0].name else {
      return "Colours over \(captures)"
    }
    return "\(Figures.short(name)) over \(captures)"
  }

  private var header: Markup {
    .header("Constant colour", title, [.keyFigures(keyFigures)])
  }

  private var keyFigures: [Markup.KeyFigure] {
    let readings = comparison.regions.flatMap { region in
      region.readings.compactMap { reading in reading.map { (region.title, $0) } }
    }
    let believed = readings.count { $0.1.isBelieved }
    var figures: [Markup.KeyFigure] = [.init("Colours believed", "\(believed)", "of \(readings.count)")]
    let differences = readings.filter(\.1.isBelieved).compactMap { title, reading in
      reading.difference.map { (title, $0.deltaE) }
    }
    if comparison.captures.count > 1, let worst = differences.max(by: { $0.1 < $1.1 }) {
      let unit = comparison.regions.count > 1 ? worst.0.shortened(to: 40) : ""
      figures.append(.init("Largest ΔE2000", Figures.fixed(worst.1, 2), unit))
    }
    let spreads = comparison.regions.compactMap { region in
      region.statistics.flatMap { $0.count > 1 ? (region.title, $0.meanDifferenceFromMean) : nil }
    }
    if let worst = spreads.max(by: { $0.1 < $1.1 }) {
      figures.append(
        .init(
          "Mean ΔE2000 from the mean", Figures.fixed(worst.1, 2), spreads.count > 1 ? "at most" : ""))
    }
    return figures + [
      .init(
        "Reference", "\(comparison.reference + 1)", comparison.captures[comparison.reference].name.shortened(to: 40))
    ]
  }

  private var warnings: Markup? {
    let left = comparison.regions.count - Self.maximumRegions
    let notes =
      comparison.warnings.map { Figures.short($0.words) }
      + (left > 0 ? ["\(Figures.count(left, "more region")) not shown here."] : [])
    return notes.isEmpty ? nil : .section("Warnings", [.notes(notes)])
  }

  private func section(_ region: ColorComparison.Region, index: Int) -> Markup {
    let plots = RegionPlots(region, index: index, reference: comparison.reference)
    let figures = [
      plots.components.map {
        Markup.figure($0, "Over the captures; bars are one standard uncertainty.", kind: "plot")
      },
      plots.plane.map { Markup.figure($0, "Equal steps of both are equally long.", kind: "plot") },
    ].compactMap { $0 }
    let pair = figures.isEmpty ? [] : [Markup("div", ["class": "pair"], figures)]
    return .section(Figures.short(region.title), pair + [table(region)])
  }

  private var footer: Markup {
    .footer(
      "Made by Headroom. L*, a*, b* are CIE 1976 for D65 and the 2° observer. Means and spreads are of colours "
        + "with a confidence of at least \(Figures.shortest(ConstantColorReport.believedConfidence)); spread is the "
        + "sample standard deviation, and beside it the mean ΔE2000 from the mean. In plots, discs are believed, "
        + "diamonds are not, and the reference has a ring.")
  }

  /// Returns the colours of a region, one per capture, with mean and spread.
  func table(_ region: ColorComparison.Region) -> Markup {
    let titles = ["No.", "Capture", "L*", "a*", "b*", "sRGB", "Confidence", "ΔE2000"]
    let rows = region.readings.enumerated().map { row($1, capture: $0) }
    let bodies = [Markup("tbody", [:], rows)] + (region.statistics.map { $0.count > 1 ? [statistics($0)] : [] } ?? [])
    return .table(
      Figures.short(region.title), heads: [.columnHeads(titles, text: "Capture")], bodies: bodies)
  }

  private func row(_ reading: ColorComparison.Reading?, capture: Int) -> Markup {
    let isDoubted = reading.map { !$0.isBelieved } ?? false
    let swatch = Markup.swatch(reading?.lab.map(CIELAB.hexadecimal))
    let name = Markup("th", ["scope": "row"], [swatch]).adding(Figures.short(comparison.captures[capture].name))
    let colors = (0..<3).map { Figures.value(reading?.lab?[$0], reading?.uncertainty?[$0]) }
    let code = Markup("td", [:], [Markup("code", [:], reading?.lab.map(CIELAB.hexadecimal) ?? Figures.none)])
    let cells = [
      reading.map { Figures.fixed($0.confidence, 2) } ?? Figures.none,
      capture == comparison.reference ? Figures.none : reading?.differenceWords ?? Figures.none,
    ]
    return Markup(
      "tr", isDoubted ? ["class": "off"] : [:],
      [.cell("\(capture + 1)"), name] + colors.map { .cell($0) } + [code] + cells.map { .cell($0) }
        + [mark(reading, capture: capture)])
  }

  private func mark(_ reading: ColorComparison.Reading?, capture: Int) -> Markup {
    guard let reading else { return .cell("no such region", "mark") }
    let note = comparison.note(reading, capture: capture)
    return reading.isBelieved ? .cell(note.isEmpty ? "✓" : "✓ " + note, "mark") : .cell("✕ " + note, "mark failed")
  }

  private func statistics(_ statistics: RegionStatistics) -> Markup {
    func row(_ swatch: [Markup], _ name: String, _ lab: SIMD3<Double>, _ deltaE: String) -> Markup {
      let colors = (0..<3).map { Markup.cell(Figures.signedMinus(lab[$0], 2)) }
      return Markup(
        "tr", ["class": "mean"],
        [.cell(""), Markup("th", ["scope": "row"], swatch).adding(name)] + colors
          + ["", "", deltaE, ""].map { .cell($0) })
    }
    let mean = row(
      [.swatch(CIELAB.hexadecimal(statistics.mean))],
      "Mean of \(Figures.count(statistics.count, "believed colour"))", statistics.mean, "")
    let spread = statistics.spread.map {
      row([], "Spread", $0, Figures.fixed(statistics.meanDifferenceFromMean, 2))
    }
    return Markup("tbody", [:], [mean, spread].compactMap { $0 })
  }

  /// The list of captures with their numbers.
  var captures: Markup {
    let titles = ["No.", "Report", "Captured", "Mean confidence"]
    let rows = comparison.captures.enumerated().map { index, capture in
      let notes = [index == comparison.reference ? "reference" : nil, capture.isBelieved ? nil : "not believed"]
      return Markup(
        "tr", capture.isBelieved ? [:] : ["class": "off"],
        [
          .cell("\(index + 1)"), Markup("th", ["scope": "row"], Figures.short(capture.name)),
          .cell(capture.time.map(ConstantColorReport.words) ?? Figures.none),
          .cell(Figures.fixed(capture.confidence, 2)),
          .cell(notes.compactMap { $0 }.joined(separator: ", "), "mark"),
        ])
    }
    let heads = [Markup.columnHeads(titles, text: "Report")]
    return .section("Captures", [.table("Captures", heads: heads, bodies: [Markup("tbody", [:], rows)])])
  }
}

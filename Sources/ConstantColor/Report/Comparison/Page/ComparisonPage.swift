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
    Markup(
      "header", [:],
      [Markup("p", ["class": "overline"], "Constant colour"), Markup("h1", [:], title), .keyFigures(keyFigures)])
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
    Markup(
      "footer", [:],
      [
        Markup(
          "p", [:],
          "Made by Headroom. L*, a*, b* are CIE 1976 for D65 and the 2° observer. Means and spreads are of colours "
            + "with a confidence of at least \(Figures.shortest(ConstantColorReport.believedConfidence)); spread is the "
            + "sample standard deviation, and beside it the mean ΔE2000 from the mean. In plots, discs are believed, "
            + "diamonds are not, and the reference has a ring.")
      ])
  }
}

internal import Foundation
internal import HTMLReports

extension ComparisonPage {
  /// Returns the colours of a region, one per capture, with mean and spread.
  func table(_ region: ColorComparison.Region) -> Markup {
    let titles = ["No.", "Capture", "L*", "a*", "b*", "sRGB", "Confidence", "ΔE2000"]
    let heads = titles.map { Markup.columnHead($0, $0 == "Capture" ? "text" : "") }
    let head = Markup(
      "thead", [:], [Markup("tr", [:], heads + [Markup("th", ["scope": "col", "aria-label": "result"])])])
    let rows = region.readings.enumerated().map { row($1, capture: $0) }
    let bodies = [Markup("tbody", [:], rows)] + (region.statistics.map { $0.count > 1 ? [statistics($0)] : [] } ?? [])
    return .scrolling(Figures.short(region.title), Markup("table", [:], [head] + bodies))
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
      [Markup("td", [:], "\(capture + 1)"), name] + colors.map { Markup("td", [:], $0) } + [code]
        + cells.map { Markup("td", [:], $0) } + [mark(reading, capture: capture)])
  }

  private func mark(_ reading: ColorComparison.Reading?, capture: Int) -> Markup {
    guard let reading else { return Markup("td", ["class": "mark"], "no such region") }
    let note = comparison.note(reading, capture: capture)
    return reading.isBelieved
      ? Markup("td", ["class": "mark"], note.isEmpty ? "✓" : "✓ " + note)
      : Markup("td", ["class": "mark failed"], "✕ " + note)
  }

  private func statistics(_ statistics: RegionStatistics) -> Markup {
    func row(_ swatch: [Markup], _ name: String, _ lab: SIMD3<Double>, _ deltaE: String) -> Markup {
      let colors = (0..<3).map { Markup("td", [:], Figures.signedMinus(lab[$0], 2)) }
      return Markup(
        "tr", ["class": "mean"],
        [Markup("td", [:]), Markup("th", ["scope": "row"], swatch).adding(name)] + colors
          + [Markup("td", [:]), Markup("td", [:]), Markup("td", [:], deltaE), Markup("td", [:])])
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
    let heads = ["No.", "Report", "Captured", "Mean confidence"].map {
      Markup.columnHead($0, $0 == "Report" ? "text" : "")
    }
    let head = Markup(
      "thead", [:], [Markup("tr", [:], heads + [Markup("th", ["scope": "col", "aria-label": "result"])])])
    let rows = comparison.captures.enumerated().map { index, capture in
      let notes = [index == comparison.reference ? "reference" : nil, capture.isBelieved ? nil : "not believed"]
      return Markup(
        "tr", capture.isBelieved ? [:] : ["class": "off"],
        [
          Markup("td", [:], "\(index + 1)"), Markup("th", ["scope": "row"], Figures.short(capture.name)),
          Markup("td", [:], capture.time.map(ConstantColorReport.words) ?? Figures.none),
          Markup("td", [:], Figures.fixed(capture.confidence, 2)),
          Markup("td", ["class": "mark"], notes.compactMap { $0 }.joined(separator: ", ")),
        ])
    }
    return .section(
      "Captures", [.scrolling("Captures", Markup("table", [:], [head, Markup("tbody", [:], rows)]))])
  }
}

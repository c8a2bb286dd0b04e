internal import Frames
internal import HTMLReports

extension ConstantColorPage {
  /// The colours of the regions; nil if there are none.
  var regionTable: Markup? {
    guard !report.regions.isEmpty else { return nil }
    let rows = report.regions.enumerated().map { row($1, number: $0 + 1) }
    let table = Markup("table", [:], [head, Markup("tbody", [:], rows)])
    return .section("Regions", [.scrolling("Regions", table)])
  }

  private var head: Markup {
    let columns = ["No.", "Region", "L*", "a*", "b*", "sRGB", "x, y", "width × height", "Confidence"]
    let groups = [
      Markup("td", ["colspan": "2"]), Markup("th", ["scope": "colgroup", "colspan": "3"], "CIELAB, D65"),
      Markup("td", [:]), Markup("th", ["scope": "colgroup", "colspan": "2"], "Area in pixels"),
      Markup("td", ["colspan": "2"]),
    ]
    let heads = columns.map { Markup.columnHead($0, $0 == "Region" ? "text" : "") }
    return Markup(
      "thead", [:],
      [Markup("tr", [:], groups), Markup("tr", [:], heads + [Markup("th", ["scope": "col", "aria-label": "result"])])])
  }

  private func row(_ region: ConstantColorReport.Region, number: Int) -> Markup {
    let (lab, uncertainty, area) = (region.lab, region.uncertainty, region.area)
    let colors = (0..<3).map { Figures.value(lab?[$0], uncertainty?[$0]) }
    let code = Markup("td", [:], [Markup("code", [:], region.hexadecimal ?? Figures.none)])
    let cells = ["\(area.x), \(area.y)", "\(area.width) × \(area.height)", Figures.fixed(region.confidence, 2)]
    let mark =
      region.isBelieved
      ? Markup("td", ["class": "mark"], "✓") : Markup("td", ["class": "mark failed"], "✕ not believed")
    return Markup(
      "tr", region.isBelieved ? [:] : ["class": "off"],
      [
        Markup("td", [:], "\(number)"),
        Markup("th", ["scope": "row"], [.swatch(region.hexadecimal)]).adding(
          Figures.short(region.name ?? "Region \(number)")),
      ] + colors.map { Markup("td", [:], $0) } + [code] + cells.map { Markup("td", [:], $0) } + [mark])
  }
}

extension Markup {
  /// Returns a colour swatch, hidden from screen readers: the numbers beside it state the colour.
  static func swatch(_ hexadecimal: String?) -> Markup {
    Markup("span", ["class": "swatch", "aria-hidden": "true", "style": hexadecimal.map { "background: \($0)" } ?? ""])
  }
}

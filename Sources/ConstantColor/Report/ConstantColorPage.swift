public import Foundation
internal import Frames
internal import HTMLReports

/// A constant-colour report as a self-contained HTML page without scripts or external resources.
public struct ConstantColorPage: Sendable {
  /// The pictures of a page as PNG in display colours, at most about 1280 pixels wide; nil: omitted.
  public struct Pictures: Sendable, Hashable {
    /// Without the flash.
    public var ambient: Data?
    /// With the flash.
    public var flash: Data?
    /// The picture of constant colour.
    public var result: Data?
    /// The confidence as grey: white is 1, black is 0.
    public var confidenceMap: Data?

    /// Creates pictures; none by default.
    public init(ambient: Data? = nil, flash: Data? = nil, result: Data? = nil, confidenceMap: Data? = nil) {
      self.ambient = ambient
      self.flash = flash
      self.result = result
      self.confidenceMap = confidenceMap
    }
  }

  let report: ConstantColorReport
  let pictures: Pictures

  /// Creates the page of a report.
  public init(_ report: ConstantColorReport, pictures: Pictures) {
    self.report = report
    self.pictures = pictures
  }

  /// The complete page, which is also well-formed XML.
  public var html: String {
    let parts = [header, warnings, figures, regionTable, facts, footer]
    return Page(title: "\(verdict.words): \(name)", style: Self.style, content: parts.compactMap { $0 }).html
  }

  private var name: String { Figures.short(report.outputs.picture ?? report.inputs.flash) }

  private var verdict: (words: String, isGood: Bool, aside: String) {
    if !report.isBelieved {
      return ("Fallback", false, "the pair was not believed, and the ambient picture takes its place")
    }
    let wanted = report.minimumConfidence ?? ConstantColorReport.believedConfidence
    return report.measurement.centerWeightedMeanConfidence >= wanted
      ? ("Believed", true, "the mean confidence is at least \(Figures.fixed(wanted, 2))")
      : ("Low confidence", false, "the mean confidence is below \(Figures.fixed(wanted, 2)): see the map")
  }

  private var header: Markup {
    .header(
      "Constant colour", name,
      [.verdict(verdict.words.uppercased(), isGood: verdict.isGood, verdict.aside), keyFigures])
  }

  private var keyFigures: Markup {
    let measurement = report.measurement
    var figures: [Markup.KeyFigure] = [
      .init("Mean confidence", Figures.fixed(measurement.centerWeightedMeanConfidence, 2), "weighted to the centre"),
      .init("Believed", Figures.percent(measurement.shareBelieved), "of the pixels"),
    ]
    if !report.regions.isEmpty {
      figures.append(
        .init("Regions believed", "\(report.regions.count(where: \.isBelieved))", "of \(report.regions.count)"))
    }
    figures.append(
      .init(
        "Exposure, ambient to flash", Figures.significant(measurement.exposureRatio, 3),
        measurement.exposureSource.words))
    return .keyFigures(figures)
  }

  private var warnings: Markup? {
    report.warnings.isEmpty ? nil : .section("Warnings", [.notes(report.warnings.map(Figures.short))])
  }

  private var facts: Markup { .section("Capture", [.facts(report.facts)]) }

  private var footer: Markup {
    .footer(
      "L*, a*, b* are CIE 1976 for D65 and the 2° observer, as if daylight D65 lit the scene; ± is one standard "
        + "uncertainty. Confidence runs from 0 to 1, and is believed from "
        + "\(Figures.shortest(ConstantColorReport.believedConfidence)). Swatches are sRGB, clipped to its gamut.")
  }

  /// The pictures side by side; nil if there are no pictures and no regions.
  var figures: Markup? {
    let isDoubted = report.regions.contains { !$0.isBelieved }
    let regions = isDoubted ? " Dashed regions are not believed." : ""
    let parts = [
      figure("ambient", "Without flash", pictures.ambient, "The light of the room, as the camera saw it."),
      figure("flash", "With flash", pictures.flash, "The light of the room and of the flash."),
      figure(
        "result", "Constant colour", pictures.result,
        "The flash alone, as daylight D65\(report.isBelieved ? "." : ": not believed.")"
          + regions,
        marks: report.regions),
      figure(
        "confidence", "Confidence", pictures.confidenceMap, "White can be believed, black cannot.",
        marks: report.regions),
    ].compactMap { $0 }
    return parts.isEmpty ? nil : .section("Pictures", [Markup("div", ["class": "pair"], parts)])
  }

  private func figure(
    _ name: String, _ title: String, _ picture: Data?, _ caption: String,
    marks: [ConstantColorReport.Region] = []
  ) -> Markup? {
    // Without pictures, the outlines of regions are still drawn, once.
    guard picture != nil || (name == "result" && !marks.isEmpty) else { return nil }
    let (width, height) = (Double(report.measurement.size.width), Double(report.measurement.size.height))
    let content =
      Drawing.picture(picture, SIMD2(width, height))
      + marks.enumerated().flatMap { mark($1, number: $0 + 1, in: SIMD2(width, height)) }
    let places = marks.isEmpty ? "" : ", with \(Figures.count(marks.count, "region")) outlined and numbered"
    let plot = Plot(
      name: name, title: title,
      description: caption + " \(report.measurement.size.width) by \(report.measurement.size.height) pixels\(places).",
      width: width, height: height, content: content)
    return .figure(plot, caption, kind: "picture")
  }

  /// Draws a region's outline and number: inside if it is large enough, else above or below.
  private func mark(_ region: ConstantColorReport.Region, number: Int, in picture: SIMD2<Double>) -> [Markup] {
    let text = max(picture.x, picture.y) / 32
    let from = SIMD2(Double(region.area.x), Double(region.area.y))
    let to = from + SIMD2(Double(region.area.width), Double(region.area.height))
    let width = text * 0.62 * Double(String(number).count)
    var place = from + SIMD2(text * 0.3, text * 1.05)
    if to.y - from.y < text * 1.5 || to.x - from.x < width + text * 0.6 {
      place = SIMD2(from.x, from.y > text * 1.4 ? from.y - text * 0.35 : to.y + text * 1.1)
    }
    place.x = max(min(place.x, picture.x - width - text * 0.2), text * 0.2)
    let title = Figures.short(region.name ?? "Region") + (region.isBelieved ? "" : ", not believed")
    return [
      Drawing.rectangle("edge", from, to),
      Drawing.rectangle(
        region.isBelieved ? "region" : "region doubted", from, to, [Markup("title", [:], "\(number) \(title)")]),
      Drawing.text("number", place, "\(number)", size: text),
    ]
  }

  /// The colours of the regions; nil if there are none.
  var regionTable: Markup? {
    guard !report.regions.isEmpty else { return nil }
    let rows = report.regions.enumerated().map { row($1, number: $0 + 1) }
    return .section("Regions", [.table("Regions", heads: heads, bodies: [Markup("tbody", [:], rows)])])
  }

  private var heads: [Markup] {
    let columns = ["No.", "Region", "L*", "a*", "b*", "sRGB", "x, y", "width × height", "Confidence"]
    let groups = [
      Markup("td", ["colspan": "2"]), Markup("th", ["scope": "colgroup", "colspan": "3"], "CIELAB, D65"),
      Markup("td", [:]), Markup("th", ["scope": "colgroup", "colspan": "2"], "Area in pixels"),
      Markup("td", ["colspan": "2"]),
    ]
    return [Markup("tr", [:], groups), .columnHeads(columns, text: "Region")]
  }

  private func row(_ region: ConstantColorReport.Region, number: Int) -> Markup {
    let (lab, uncertainty, area) = (region.lab, region.uncertainty, region.area)
    let colors = (0..<3).map { Figures.value(lab?[$0], uncertainty?[$0]) }
    let code = Markup("td", [:], [Markup("code", [:], region.hexadecimal ?? Figures.none)])
    let cells = ["\(area.x), \(area.y)", "\(area.width) × \(area.height)", Figures.fixed(region.confidence, 2)]
    let mark = region.isBelieved ? Markup.cell("✓", "mark") : .cell("✕ not believed", "mark failed")
    return Markup(
      "tr", region.isBelieved ? [:] : ["class": "off"],
      [
        .cell("\(number)"),
        Markup("th", ["scope": "row"], [.swatch(region.hexadecimal)]).adding(
          Figures.short(region.name ?? "Region \(number)")),
      ] + colors.map { .cell($0) } + [code] + cells.map { .cell($0) } + [mark])
  }
}

extension Markup {
  /// Returns a colour swatch, hidden from screen readers: the numbers beside it state the colour.
  static func swatch(_ hexadecimal: String?) -> Markup {
    Markup("span", ["class": "swatch", "aria-hidden": "true", "style": hexadecimal.map { "background: \($0)" } ?? ""])
  }
}

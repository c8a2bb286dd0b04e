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
    Markup(
      "header", [:],
      [
        Markup("p", ["class": "overline"], "Constant colour"), Markup("h1", [:], name),
        .verdict(verdict.words.uppercased(), isGood: verdict.isGood, verdict.aside), keyFigures,
      ])
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
    Markup(
      "footer", [:],
      [
        Markup(
          "p", [:],
          "L*, a*, b* are CIE 1976 for D65 and the 2° observer, as if daylight D65 lit the scene; ± is one standard "
            + "uncertainty. Confidence runs from 0 to 1, and is believed from "
            + "\(Figures.shortest(ConstantColorReport.believedConfidence)). Swatches are sRGB, clipped to its gamut.")
      ])
  }
}

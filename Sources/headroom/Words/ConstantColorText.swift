internal import ConstantColor
internal import ConstantColorRuns
internal import Frames
internal import Sessions

/// The report on a pair of pictures for display.
struct ConstantColorText {
  let lines: [String]

  init(_ outcome: ConstantColorOutcome) {
    let report = outcome.report
    let found = report.measurement
    lines =
      [
        "confidence  \(found.centerWeightedMeanConfidence.words(decimals: 3)), centre-weighted mean; "
          + "\((found.shareBelieved * 100).words(decimals: 2)) % of the pixels at least "
          + "\(ConstantColorReport.believedConfidence.words)",
        "exposure    ambient / flash \(found.exposureRatio.words(decimals: 4)), \(found.exposureSource.words)",
        "movement    \(found.movement.words)", "flash       \(report.flash.words)",
      ] + report.regions.enumerated().map { index, region in Self.line(region, number: index + 1) }
  }

  private static func line(_ region: ConstantColorReport.Region, number: Int) -> String {
    let area = region.area
    let place = "\(area.x),\(area.y),\(area.width),\(area.height)"
    let name = region.name ?? "region \(number)"
    guard let lab = region.lab else { return "\(name)  \(place)  nothing could be measured" }
    let values = zip(["L*", "a*", "b*"], 0..<3).map { symbol, index in
      let spread = region.uncertainty.map { " ± \($0[index].words(decimals: 2))" } ?? ""
      return "\(symbol) \(lab[index].words(decimals: 2))\(spread)"
    }
    return "\(name)  \(place)  \(values.joined(separator: "  "))  confidence \(region.confidence.words(decimals: 2))"
  }
}

internal import ConstantColor
internal import Frames
internal import Sessions

/// What became of a pair of pictures, in lines for people.
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

extension ConstantColorResult.ExposureSource {
  fileprivate var words: String {
    switch self {
    case .stated: "as stated"
    case .pictures: "from the pictures"
    case .assumedEqual: "assumed"
    }
  }
}

extension Movement {
  fileprivate var words: String {
    if self == Movement() { return "none" }
    return "\(x.words(decimals: 2)), \(y.words(decimals: 2)) px; \(rotation.words(decimals: 3))°; scale "
      + "\(scale.words(decimals: 5))"
  }
}

extension FlashBasis {
  fileprivate var words: String {
    switch self {
    case .temperature(let kelvins): return "\(kelvins.words) K"
    case .neutral(let rgb):
      return "neutral \(rgb.x.words(decimals: 4)), \(rgb.y.words(decimals: 4)), \(rgb.z.words(decimals: 4))"
    case .calibration(let name, let mean, let largest):
      let fit = [mean.map { "mean \($0.words(decimals: 2))" }, largest.map { "at most \($0.words(decimals: 2))" }]
      let errors = fit.compactMap(\.self).joined(separator: ", ")
      return "calibrated, \(name)" + (errors.isEmpty ? "" : "; ΔE2000 of the chart \(errors)")
    }
  }
}

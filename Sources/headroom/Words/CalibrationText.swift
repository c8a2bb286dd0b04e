internal import ConstantColor
internal import ConstantColorRuns
internal import Sessions

/// A calibration's report for display.
struct CalibrationText {
  let lines: [String]

  init(_ outcome: CalibrationOutcome) {
    let calibration = outcome.calibration
    let white = calibration.white
    let names = [calibration.camera ?? calibration.components, calibration.flash].compactMap(\.self)
    var lines = ["calibration  \(names.joined(separator: ", "))"]
    if let residuals = calibration.residuals {
      lines.append(
        "ΔE2000       mean \(residuals.mean.words(decimals: 2)), at most \(residuals.max.words(decimals: 2)) over the "
          + "ColorChecker")
    }
    lines.append(
      "white        R \(white.x.words(decimals: 4)), G \(white.y.words(decimals: 4)), B \(white.z.words(decimals: 4))")
    if let light = calibration.falloff?.light, let least = light.min(), let most = light.max() {
      lines.append("falloff      \(least.words(decimals: 3)) to \(most.words(decimals: 3)) over the frame")
    }
    self.lines = lines
  }
}

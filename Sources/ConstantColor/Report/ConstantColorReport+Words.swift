internal import Foundation
internal import Frames
internal import HTMLReports

extension ConstantColorReport {
  /// Facts other than the colours, by name.
  var facts: [(name: String, value: String)] {
    var facts = [("Without flash", inputs.ambient), ("With flash", inputs.flash)]
    let files = [
      ("Picture", outputs.picture), ("Fallback", outputs.fallback), ("Confidence map", outputs.confidenceMap),
    ]
    facts += files.compactMap { name, file in file.map { (name, $0) } }
    if let time { facts.append(("Captured", Self.words(time))) }
    facts += [
      ("Size", "\(measurement.size.width) × \(measurement.size.height) pixels"), ("Components", components),
      ("Colour of the flash", flash.words), ("Exposure", exposureWords), ("Movement", measurement.movement.words),
      ("Scale to white", Figures.significant(measurement.scale, 4)),
    ]
    if let minimumConfidence { facts.append(("Mean confidence asked for", Figures.fixed(minimumConfidence, 2))) }
    return facts.map { ($0.0, Figures.short($0.1)) } + [("Made by", Figures.short(program))]
  }

  /// Returns "2026-01-31 10:20:30 UTC".
  static func words(_ time: Date) -> String {
    let text = time.formatted(.iso8601)
    return text.replacingOccurrences(of: "T", with: " ").replacingOccurrences(of: "Z", with: " UTC")
  }

  private var exposureWords: String {
    "ambient to flash \(Figures.significant(measurement.exposureRatio, 4)) : 1, \(measurement.exposureSource.words)"
  }
}

extension ConstantColorResult.ExposureSource {
  /// Display text, on pages and on the command line.
  package var words: String {
    switch self {
    case .stated: "as stated"
    case .pictures: "from the pictures"
    case .assumedEqual: "assumed to be equal"
    }
  }
}

extension FlashBasis {
  /// Display text, on pages and on the command line.
  package var words: String {
    switch self {
    case .temperature(let kelvins):
      return "correlated colour temperature \(Figures.fixed(kelvins, 0)) K, not measured"
    case .neutral(let color):
      return "neutral of R \(Figures.significant(color.x, 4)), G \(Figures.significant(color.y, 4)), "
        + "B \(Figures.significant(color.z, 4))"
    case .calibration(let name, let mean, let largest):
      let residuals = [mean.map { "mean \(Figures.fixed($0, 2))" }, largest.map { "largest \(Figures.fixed($0, 2))" }]
        .compactMap { $0 }
      return "calibration \(name)"
        + (residuals.isEmpty ? "" : ", ΔE2000 of its fit: \(residuals.joined(separator: ", "))")
    }
  }
}

extension Movement {
  /// Display text, on pages and on the command line.
  package var words: String {
    func part(_ value: Double, _ decimals: Int, _ unit: String, _ positive: String, _ negative: String) -> String? {
      let text = Figures.fixed(abs(value), decimals)
      guard text.contains(where: { ("1"..."9").contains($0) }) else { return nil }
      return "\(text)\(unit) \(value > 0 ? positive : negative)"
    }
    let parts = [
      part(x, 1, " px", "to the right", "to the left"), part(y, 1, " px", "down", "up"),
      part(rotation, 2, "°", "clockwise", "anticlockwise"),
      part((scale - 1) * 100, 2, " %", "larger", "smaller"),
    ].compactMap { $0 }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}

extension Figures {
  /// Shortens arbitrary text to fit on a page.
  static func short(_ text: String) -> String { text.shortened(to: 200) }

  /// Formats with a number of significant digits.
  static func significant(_ value: Double, _ digits: Int) -> String {
    value.isFinite ? String(format: "%.\(digits)g", value) : none
  }

  /// Formats with a minus sign instead of a hyphen.
  static func signedMinus(_ value: Double, _ decimals: Int) -> String {
    fixed(value, decimals).replacingOccurrences(of: "-", with: "−")
  }

  /// Returns "53.21 ± 0.35", with non-breaking spaces.
  static func value(_ value: Double?, _ uncertainty: Double?, _ decimals: Int = 2) -> String {
    guard let value else { return none }
    return signedMinus(value, decimals) + (uncertainty.map { "\u{A0}±\u{A0}" + fixed($0, decimals) } ?? "")
  }
}

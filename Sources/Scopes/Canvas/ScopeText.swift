package import Lettering

/// Texts of scopes and their size in pixels.
package struct ScopeText {
  let typeface: Typeface
  /// Pixels per point.
  let scale: Double

  package init(typeface: Typeface, scale: Double) {
    self.typeface = typeface
    self.scale = scale
  }

  package func width(_ text: String, points: Double = ScopeStyle.textHeight) -> Double {
    typeface.width(of: text, height: points * scale)
  }

  func line(_ text: String, points: Double = ScopeStyle.textHeight) -> Coverage {
    typeface.line(text, height: points * scale)
  }

  /// Returns the distance from the top of a line to the centre of its capitals and digits: 0.17 plus half of 0.63 of
  /// its height.
  func middle(points: Double = ScopeStyle.textHeight) -> Double { 0.485 * points * scale }

  /// Formats "0.1", "203": a non-negative number with a maximum number of decimals.
  static func number(_ value: Double, decimals: Int = 2) -> String {
    let unit = (0..<decimals).reduce(1) { unit, _ in unit * 10 }
    let parts = Int((min(max(value, 0), 1e12) * Double(unit)).rounded())
    var fraction = String(String(parts % unit + unit).dropFirst())
    while fraction.last == "0" { fraction.removeLast() }
    return fraction.isEmpty ? "\(parts / unit)" : "\(parts / unit).\(fraction)"
  }

  /// Formats "4.9×", "100×": a ratio, with one decimal if significant.
  static func ratio(_ value: Double) -> String {
    if value >= 99.95 { return "\(number(value, decimals: 0))×" }
    let tenths = Int((min(max(value, 0), 1e12) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)×"
  }
}

internal import ColorScience
package import Lettering

/// Colours and dimensions of the graticules.
package enum ScopeStyle {
  static let ground = ScopeColor(0x0B0D10)
  /// Background of traces.
  static let plot = ScopeColor(0x0F1317)
  static let border = ScopeColor(0x343C46)
  static let grid = ScopeColor(0x20272F)
  static let strongGrid = ScopeColor(0x39424D)
  package static let label = ScopeColor(0x98A3B0)
  package static let title = ScopeColor(0xDCE2E9)
  /// Lines of reference luminances, and their labels.
  static let mark = ScopeColor(0xC9A24C)
  static let peak = ScopeColor(0xF2B8A0)

  /// Colour of luminance traces.
  static let luminance = ScopeColor(0xE9F0E6)
  /// R, G and B distinguishable with any colour vision: based on vermilion, bluish green and sky blue of Okabe and Ito,
  /// "Color Universal Design" (2008), lighter for a dark background and with different luminances.
  static let components = [ScopeColor(0xFF7038), ScopeColor(0x38D69A), ScopeColor(0x60B4FF)]
  static let componentNames = ["R", "G", "B"]

  /// Line heights of text in points; an em of DejaVu Sans is 0.86 of it.
  package static let (textHeight, titleHeight) = (13.0, 14.5)
  /// Offset of the title from the left of a scope, and of its centre from the top, in points.
  static let (titleIndent, titleMiddle) = (12.0, 15.0)
}

/// A colour in the picture of scopes, as sRGB code values.
package struct ScopeColor: Hashable {
  let codes: SIMD3<UInt8>

  /// - Parameter hex: 0xRRGGBB.
  init(_ hex: Int) { codes = SIMD3(UInt8(hex >> 16 & 255), UInt8(hex >> 8 & 255), UInt8(hex & 255)) }

  package init(codes: SIMD3<UInt8>) { self.codes = codes }

  /// The brightest sRGB colour with this chromaticity, mixed with white so that no colour is too dark.
  /// - Parameter light: Linear BT.709 components in any unit; negative ones are out of gamut and treated as 0.
  init(hueOf light: SIMD3<Double>, white: Double = 0.35) {
    let inside = light.replacing(with: 0, where: light .< 0)
    let maximum = inside.max()
    let hue = maximum > 0 ? inside / maximum : SIMD3(repeating: 1)
    let mixed = hue * (1 - white) + white
    codes = SIMD3(Self.code(mixed.x), Self.code(mixed.y), Self.code(mixed.z))
  }

  /// Light relative to white.
  var light: SIMD3<Double> { SIMD3(Self.lights[Int(codes.x)], Self.lights[Int(codes.y)], Self.lights[Int(codes.z)]) }

  /// Light per code value.
  static let lights = (0..<256).map { SRGB.eotf(Double($0) / 255) }

  static func code(_ light: Double) -> UInt8 {
    UInt8((min(max(SRGB.inverseEOTF(light), 0), 1) * 255).rounded())
  }
}

/// Texts of scopes and their size in pixels.
package struct ScopeText {
  let typeface: Typeface
  /// Pixels per point.
  let scale: Double

  package init(typeface: Typeface, scale: Double) {
    (self.typeface, self.scale) = (typeface, scale)
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

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

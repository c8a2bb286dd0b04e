/// Colours and measures of the graticules.
package enum ScopeStyle {
  static let ground = ScopeColor(0x0B0D10)
  /// Behind traces.
  static let plot = ScopeColor(0x0F1317)
  static let border = ScopeColor(0x343C46)
  static let grid = ScopeColor(0x20272F)
  static let strongGrid = ScopeColor(0x39424D)
  package static let label = ScopeColor(0x98A3B0)
  package static let title = ScopeColor(0xDCE2E9)
  /// Lines of reference luminances, and their labels.
  static let mark = ScopeColor(0xC9A24C)
  static let peak = ScopeColor(0xF2B8A0)

  /// What luminance is drawn in.
  static let luminance = ScopeColor(0xE9F0E6)
  /// R, G and B apart for every kind of colour vision: after vermilion, bluish green and sky blue of Okabe and Ito,
  /// "Color Universal Design" (2008), lighter for a dark ground and of unlike luminance.
  static let components = [ScopeColor(0xFF7038), ScopeColor(0x38D69A), ScopeColor(0x60B4FF)]
  static let componentNames = ["R", "G", "B"]

  /// Heights of lines of text in points; DejaVu Sans has ems of 0.86 of them.
  package static let (textHeight, titleHeight) = (13.0, 14.5)
  /// From the left of a scope to its title, and from its top to the middle of it, in points.
  static let (titleIndent, titleMiddle) = (12.0, 15.0)
}

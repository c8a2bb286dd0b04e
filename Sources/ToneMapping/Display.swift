public import ColorScience

/// A display as far as tone and gamut mapping need to know it.
public struct Display: Sendable, Hashable, Codable {
  /// Luminance at which SDR white is shown, in cd/m², above 0.
  public var sdrWhite: Double
  /// Largest luminance in cd/m², not below `sdrWhite`.
  public var peak: Double
  /// Smallest luminance in cd/m², 0 or above.
  public var black: Double
  /// Its gamut.
  public var primaries: ColorPrimaries

  /// Luminances in cd/m²; nothing is checked.
  public init(sdrWhite: Double, peak: Double, black: Double = 0, primaries: ColorPrimaries) {
    self.sdrWhite = sdrWhite
    self.peak = peak
    self.black = black
    self.primaries = primaries
  }

  /// How many times brighter than SDR white the display can be; 1 is a display without headroom.
  public var headroom: Double { max(peak / sdrWhite, 1) }
}

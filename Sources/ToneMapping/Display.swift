public import ColorScience

/// The properties of a display that tone and gamut mapping need.
public struct Display: Sendable, Hashable, Codable {
  /// Luminance of SDR white in cd/m², above 0.
  public var sdrWhite: Double
  /// Peak luminance in cd/m², at least `sdrWhite`.
  public var peak: Double
  /// Black level in cd/m², at least 0.
  public var black: Double
  /// Its gamut.
  public var primaries: ColorPrimaries

  /// Luminances in cd/m²; not validated.
  public init(sdrWhite: Double, peak: Double, black: Double = 0, primaries: ColorPrimaries) {
    self.sdrWhite = sdrWhite
    self.peak = peak
    self.black = black
    self.primaries = primaries
  }

  /// Peak over SDR white; 1 is a display without headroom.
  public var headroom: Double { max(peak / sdrWhite, 1) }
}

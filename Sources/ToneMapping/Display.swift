public import ColorScience

/// The properties of a display that tone and gamut mapping need.
public struct Display: Sendable, Hashable, Codable {
  /// Luminance of SDR white in cd/m², above 0.
  public var sdrWhite: Double
  /// Peak luminance in cd/m², at least `sdrWhite`.
  public var peak: Double
  /// Black level in cd/m², at least 0.
  public var black: Double
  /// Luminance in cd/m² of the display's surround, above 0; nil: the surround that the content was made for.
  public var surround: Double?
  /// The share of the surround's luminance that the screen reflects.
  public var reflectance = Self.defaultReflectance
  /// Primaries and white.
  public var primaries: RGBSpace

  /// Surround luminance of the reference grading environment, in cd/m². Source: ITU-R BT.2100-2, table 3.
  public static let referenceSurround = 5.0
  /// Default `reflectance`: a modern matt screen.
  public static let defaultReflectance = 0.005

  /// Creates a display; luminances are in cd/m² and not validated.
  public init(
    sdrWhite: Double, peak: Double, black: Double = 0, surround: Double? = nil, primaries: RGBSpace
  ) {
    self.sdrWhite = sdrWhite
    self.peak = peak
    self.black = black
    self.surround = surround
    self.primaries = primaries
  }

  /// Peak over SDR white; 1: no headroom.
  public var headroom: Double { max(peak / sdrWhite, 1) }

  /// Returns the visible black in cd/m²: the display's black, and the screen's reflection of a surround brighter than
  /// the content's. At most half the peak.
  func veil(contentSurround: Double) -> Double {
    let reflected = surround.map { max($0 - contentSurround, 0) * reflectance } ?? 0
    return min(black + reflected, peak / 2)
  }
}

public import ColorScience

/// What fine-tunes a display's white: one measurement of it, and where it should be.
///
/// The drive of two primaries is lowered until R = G = B has the target's chromaticity. It is the last thing that is done
/// to light, in the display's own primaries. Primaries themselves are not measured: it is a single point, not a profile.
public struct WhitePointAdaptation: Sendable, Hashable, Codable {
  /// A white as a meter shows it.
  public struct White: Sendable, Hashable, Codable {
    /// CIE 1931 x, y.
    public var chromaticity: Chromaticity
    /// In cd/m²; nil: not stated.
    public var luminance: Double?

    /// A chromaticity, with a luminance in cd/m² if there is one.
    public init(_ chromaticity: Chromaticity, luminance: Double? = nil) {
      (self.chromaticity, self.luminance) = (chromaticity, luminance)
    }
  }

  /// The display's white as it was measured.
  public var measured: White
  /// Where it should be.
  public var target: White

  /// What was measured, and the target.
  public init(measured: White, target: White) { (self.measured, self.target) = (measured, target) }

  /// The gains of R, G and B in linear light, the largest at most 1: nothing is driven beyond its range.
  /// - Parameter primaries: Those of the display.
  /// - Returns: nil if the target is outside of the display's gamut, or brighter than the display can be there, which without
  ///   a measured luminance is not known.
  public func gains(_ primaries: RGBSpace) -> SIMD3<Double>? {
    let actual = RGBSpace(
      red: primaries.red, green: primaries.green, blue: primaries.blue, white: measured.chromaticity)
    let white = target.chromaticity
    let xyz = SIMD3(white.x, white.y, 1 - white.x - white.y) / white.y
    let drive = actual.rgbToXYZ.inverse * xyz
    guard drive.min() > 0, drive.max().isFinite else { return nil }
    let gains = drive / drive.max()
    guard measured.luminance ?? 1 > 0 else { return nil }
    guard let wanted = target.luminance else { return gains }
    // Without a measured luminance nothing is known about how bright it gets.
    guard let most = measured.luminance.map({ $0 * (actual.luminance * gains).sum() }) else { return nil }
    guard wanted <= most * Self.tolerance, wanted > 0 else { return nil }
    return gains * min(wanted / most, 1)
  }

  /// What has gains.
  static let allowed =
    "a target within the display's gamut; a luminance of the target needs a measured one, and is at most what the display has there"

  /// Meters read to a percent.
  private static let tolerance = 1.01
}

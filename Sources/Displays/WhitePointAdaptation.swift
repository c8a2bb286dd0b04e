public import ColorScience

/// A correction of a display's white point: a measured white and a target white.
///
/// Lowers the drive of up to two primaries until R = G = B has the target's chromaticity. It is the last step of
/// rendering, in the display's own primaries. The primaries are not measured: this is a single point, not a profile.
public struct WhitePointAdaptation: Sendable, Hashable, Codable {
  /// A white as measured by a meter.
  public struct White: Sendable, Hashable, Codable {
    /// CIE 1931 x, y.
    public var chromaticity: Chromaticity
    /// In cd/m²; nil: not stated.
    public var luminance: Double?

    /// A chromaticity, and optionally a luminance in cd/m².
    public init(_ chromaticity: Chromaticity, luminance: Double? = nil) {
      (self.chromaticity, self.luminance) = (chromaticity, luminance)
    }
  }

  /// The measured white of the display.
  public var measured: White
  /// The target white.
  public var target: White

  /// Creates an adaptation.
  public init(measured: White, target: White) { (self.measured, self.target) = (measured, target) }

  /// Returns the gains of R, G and B in linear light, at most 1: no primary is driven beyond its range.
  /// - Parameter primaries: The display's primaries.
  /// - Returns: nil if the target is outside the display's gamut, or brighter than the display can show, which is only
  ///   known with a measured luminance.
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
    // Without a measured luminance the maximum is unknown.
    guard let most = measured.luminance.map({ $0 * (actual.luminance * gains).sum() }) else { return nil }
    guard wanted <= most * Self.tolerance, wanted > 0 else { return nil }
    return gains * min(wanted / most, 1)
  }

  /// A description of the valid range.
  static let allowed =
    "a target within the display's gamut; a luminance of the target needs a measured one, and is at most what the display has there"

  /// Meters are accurate to about a percent.
  private static let tolerance = 1.01
}

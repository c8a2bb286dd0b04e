/// Luminances in cd/m² marked on light axes.
public struct ScopeMarks: Sendable, Hashable {
  /// The threshold of HDR displays, and the most useful axis label.
  public static let thousand = 1000.0

  /// Luminance of SDR white.
  public var sdrWhite: Double
  /// Luminance of HDR diffuse white. Source: ITU-R BT.2408-7, clause 2.1: 203 cd/m².
  public var referenceWhite: Double
  /// Peak of the display or of the content; nil: unknown.
  public var peak: Double?

  /// Creates marks; luminances are in cd/m².
  public init(sdrWhite: Double = 100, referenceWhite: Double = 203, peak: Double? = nil) {
    self.sdrWhite = sdrWhite
    self.referenceWhite = referenceWhite
    self.peak = peak
  }

  /// The peak over SDR white; nil if one is unknown or invalid.
  public var headroom: Double? {
    guard let peak, peak.isFinite, peak > 0, sdrWhite.isFinite, sdrWhite > 0 else { return nil }
    return peak / sdrWhite
  }
}

/// Luminances that axes of light are marked at, in cd/m².
public struct ScopeMarks: Sendable, Hashable {
  /// What HDR displays begin with, and the label of the axis that most look for.
  public static let thousand = 1000.0

  /// What white of SDR content is shown at.
  public var sdrWhite: Double
  /// What diffuse white of HDR content is shown at. Source: ITU-R BT.2408-7, clause 2.1: 203 cd/m².
  public var referenceWhite: Double
  /// The largest luminance of the display or of the content; nil: not known.
  public var peak: Double?

  /// Luminances in cd/m².
  public init(sdrWhite: Double = 100, referenceWhite: Double = 203, peak: Double? = nil) {
    self.sdrWhite = sdrWhite
    self.referenceWhite = referenceWhite
    self.peak = peak
  }

  /// The peak over SDR white; nil where one is unknown or no luminance.
  public var headroom: Double? {
    guard let peak, peak.isFinite, peak > 0, sdrWhite.isFinite, sdrWhite > 0 else { return nil }
    return peak / sdrWhite
  }
}

internal import ColorScience
public import Frames

/// What dynamic metadata says about a shot, as far as it takes precedence over static metadata and the chosen curve.
public struct ShotParameters: Sendable, Hashable, Codable {
  /// A tone curve that the metadata states.
  public enum Curve: Sendable, Hashable, Codable {
    /// SMPTE ST 2094-40.
    case hdr10Plus(HDR10PlusToneMap)
    /// Renditions for stated headrooms of SMPTE ST 2094-50.
    case renditions(AdaptiveToneMap.Adaptation)
  }

  /// Peak of the shot in cd/m².
  public var contentPeak: Double?
  /// Luminance of its reference white in cd/m².
  public var referenceWhite: Double?
  /// The stated tone curve; nil leaves the chosen one.
  public var curve: Curve?

  /// What is nil is left to static metadata and the chosen curve.
  public init(contentPeak: Double? = nil, referenceWhite: Double? = nil, curve: Curve? = nil) {
    self.contentPeak = contentPeak
    self.referenceWhite = referenceWhite
    self.curve = curve
  }

  /// The stated curve for a display; nil where there is none.
  /// - Parameter primaries: Of the content.
  func mapper(_ conditions: ToneConditions, primaries: RGBSpace) -> ToneMapper? {
    switch curve {
    case .hdr10Plus(let map): map.mapper(displayPeak: conditions.display.peak)
    case .renditions(let adaptation): adaptation.mapper(conditions, primaries: primaries)
    case nil: nil
    }
  }
}

internal import ColorScience
public import Frames

/// Dynamic metadata of a shot, which takes precedence over static metadata and the selected curve.
public struct ShotParameters: Sendable, Hashable, Codable {
  /// A tone curve from the metadata.
  public enum Curve: Sendable, Hashable, Codable {
    /// SMPTE ST 2094-40.
    case hdr10Plus(HDR10PlusToneMap)
    /// The operator of SMPTE ST 2094-50, as standardized.
    case referenceWhite
    /// Renditions of SMPTE ST 2094-50.
    case renditions(AdaptiveToneMap.Adaptation)
  }

  /// Peak of the shot in cd/m².
  public var contentPeak: Double?
  /// Luminance of reference white in cd/m².
  public var referenceWhite: Double?
  /// The tone curve; nil: the selected one.
  public var curve: Curve?

  /// Creates parameters; nil values are left to static metadata and the selected curve.
  public init(contentPeak: Double? = nil, referenceWhite: Double? = nil, curve: Curve? = nil) {
    self.contentPeak = contentPeak
    self.referenceWhite = referenceWhite
    self.curve = curve
  }

  private static let possibleLight = Double.leastNormalMagnitude...20_000

  /// - Throws: `DecodingError` for impossible luminances.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func light(_ key: CodingKeys) throws -> Double? {
      try values.contains(key) ? values.decode(Double.self, forKey: key, in: Self.possibleLight) : nil
    }
    self.init(
      contentPeak: try light(.contentPeak), referenceWhite: try light(.referenceWhite),
      curve: try values.decodeIfPresent(Curve.self, forKey: .curve))
  }

  /// Returns the metadata's curve for a display; nil if there is none.
  /// - Parameter primaries: Primaries of the content.
  func mapper(_ conditions: ToneConditions, primaries: RGBSpace) -> ToneMapper? {
    switch curve {
    case .hdr10Plus(let map): map.mapper(displayPeak: conditions.display.peak)
    case .referenceWhite: ToneCurve.st2094_50.mapper(conditions)
    case .renditions(let adaptation): adaptation.mapper(conditions, primaries: primaries)
    case nil: nil
    }
  }
}

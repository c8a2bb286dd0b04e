/// Adaptation of content to displays of other headrooms, in the integer units of the binary encoding.
///
/// Source: SMPTE ST 2094-50 (draft of 2026-02-23), 6 and annex C.
public struct AdaptiveToneMap: Sendable, Hashable, Codable {
  /// A rendition of the content for one headroom: a gain curve over a mix of the components.
  public struct Alternate: Sendable, Hashable, Codable {
    /// In units of 0.0001 stops.
    public var headroom: UInt16
    /// The argument of the curve.
    public var mix: Mix
    /// The gain, as magnitudes in stops; see `Point.y` for its sign.
    public var curve: Curve

    /// Coded values, not validated.
    public init(headroom: UInt16, mix: Mix, curve: Curve) {
      self.headroom = headroom
      self.mix = mix
      self.curve = curve
    }
  }

  /// The argument of a gain curve.
  public enum Mix: Sendable, Hashable, Codable {
    /// The largest component.
    case maximum
    /// Each component separately.
    case component
    /// A sixth of each component and half of the largest.
    case luma
    /// Weights of red, green, blue, the largest, the smallest, and the component itself, relative to their sum, which
    /// is not 0.
    case custom([UInt16])
  }

  /// Control points of a gain curve.
  public struct Curve: Sendable, Hashable, Codable {
    /// A control point: position, gain, and slope.
    public struct Point: Sendable, Hashable, Codable {
      /// Input relative to reference white in units of 0.001.
      public var x: UInt16
      /// Magnitude of the gain in units of 0.0001 stops; its sign is the sign of the alternate's headroom minus the
      /// baseline's.
      public var y: UInt16
      /// Slope as an angle: 0.005 degrees from -90; nil if slopes follow from the points.
      public var theta: UInt16?

      /// Coded values, not validated.
      public init(x: UInt16, y: UInt16, theta: UInt16? = nil) {
        self.x = x
        self.y = y
        self.theta = theta
      }
    }

    /// 1 to 32 points in order of x.
    public var points: [Point]

    /// Any points; only 1 to 32 in order of x can be coded.
    public init(points: [Point]) { self.points = points }
  }

  /// Primaries in which gains are applied.
  public enum GainSpace: Sendable, Hashable, Codable {
    /// The primaries of BT.709, of P3 with D65, and of BT.2020.
    case bt709, displayP3, bt2020
    /// x and y of red, green, blue and white in units of 0.00002.
    case custom([UInt16])
  }

  /// How the content is adapted.
  public enum Method: Sendable, Hashable, Codable {
    /// By the Reference White Tone Mapping Operator, C.3.8.
    case referenceWhite
    /// By given renditions in order of headroom; none: content is clipped at the display's peak.
    case alternates([Alternate], space: GainSpace)
  }

  /// The content's headroom, and the adaptation to others.
  public struct Adaptation: Sendable, Hashable, Codable {
    /// Headroom of the content in units of 0.0001 stops.
    public var baselineHeadroom: UInt16
    /// How the content is adapted to other headrooms.
    public var method: Method

    /// Coded values, not validated.
    public init(baselineHeadroom: UInt16, method: Method) {
      self.baselineHeadroom = baselineHeadroom
      self.method = method
    }

    /// - Throws: `AdaptiveToneMapError` if it violates a constraint.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        baselineHeadroom: try values.decode(UInt16.self, forKey: .baselineHeadroom),
        method: try values.decode(Method.self, forKey: .method))
      try check()
    }
  }

  /// Luminance of reference white in units of 0.2 cd/m²; nil: 203 cd/m².
  public var codedReferenceWhite: UInt16?
  /// nil leaves the adaptation to the renderer.
  public var adaptation: Adaptation?

  /// Units of a headroom or a gain in one stop.
  public static let stopUnits: Double = 10_000

  /// By default only a reference white of 203 cd/m².
  public init(codedReferenceWhite: UInt16? = nil, adaptation: Adaptation? = nil) {
    self.codedReferenceWhite = codedReferenceWhite
    self.adaptation = adaptation
  }

  /// Luminance of reference white in cd/m². Source: C.3.3.
  public var referenceWhite: Double {
    codedReferenceWhite.map { Double(min(max($0, 1), 50_000)) / 5 } ?? 203
  }
}

extension AdaptiveToneMap.Adaptation {
  /// Headroom of the content in stops. Source: C.3.4.
  public var baselineStops: Double { AdaptiveToneMap.stops(baselineHeadroom) }
}

extension AdaptiveToneMap {
  /// Stops of a coded headroom or gain, none above 6. Source: C.3.4, C.3.7.
  public static func stops(_ coded: UInt16) -> Double { Double(min(coded, 60_000)) / stopUnits }
}

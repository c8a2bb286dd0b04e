/// HDR10+: light statistics of a frame's shot and a tone curve for a display, in the integer units of the message.
///
/// Only the first processing window is kept, which is the whole picture.
/// Source: SMPTE ST 2094-40 (2020); CTA-861-H, annex S.
public struct HDR10PlusMetadata: Sendable, Hashable, Codable {
  /// The value that a percentage of the pixels do not exceed.
  public struct Percentile: Sendable, Hashable, Codable {
    /// In percent.
    public var percentage: UInt8
    /// max(R, G, B) in units of 0.1 cd/m².
    public var value: UInt32

    /// The integers of the message.
    public init(percentage: UInt8, value: UInt32) {
      self.percentage = percentage
      self.value = value
    }
  }

  /// A straight line from black to a knee and a Bézier curve from there to the peak.
  public struct Curve: Sendable, Hashable, Codable {
    /// x of the knee in units of 1/4095 of the shot's peak.
    public var kneeX: UInt16
    /// y of the knee in units of 1/4095 of the targeted display's peak.
    public var kneeY: UInt16
    /// Ordinates of the control points between knee and peak in units of 1/1023; at most 15.
    public var anchors: [UInt16]

    /// The integers of the message.
    public init(kneeX: UInt16, kneeY: UInt16, anchors: [UInt16]) {
      self.kneeX = kneeX
      self.kneeY = kneeY
      self.anchors = anchors
    }
  }

  /// `application_version`: 0 or 1.
  public var applicationVersion: UInt8
  /// Peak in cd/m² of the display that the curve targets; 0: none.
  public var targetedMaxLuminance: UInt32
  /// The largest linear red, green and blue of the shot in units of 0.1 cd/m².
  public var maxSCL: SIMD3<UInt32>
  /// The mean of max(R, G, B) in units of 0.1 cd/m².
  public var averageMaxRGB: UInt32
  /// In message order. By HDR10+ convention the 99 % entry holds the 99.98th percentile, and the 5 % and 10 % entries
  /// hold other statistics.
  public var distribution: [Percentile]
  /// Fraction of bright pixels in units of 0.001.
  public var fractionBright: UInt16
  /// The tone curve for the targeted display; nil if the message has none.
  public var curve: Curve?
  /// Weight of the colour saturation in units of 1/8.
  public var saturationWeight: UInt8?

  /// Units of `maxSCL`, `averageMaxRGB` and `distribution` in one cd/m².
  public static let lightUnits: Double = 10
  /// Units of a knee coordinate in 1.
  public static let kneeUnits: Double = 4095
  /// Units of an anchor in 1.
  public static let anchorUnits: Double = 1023

  /// The integers of the message, in the units of the properties.
  public init(
    applicationVersion: UInt8 = 1, targetedMaxLuminance: UInt32, maxSCL: SIMD3<UInt32>, averageMaxRGB: UInt32,
    distribution: [Percentile] = [], fractionBright: UInt16 = 0, curve: Curve? = nil, saturationWeight: UInt8? = nil
  ) {
    self.applicationVersion = applicationVersion
    self.targetedMaxLuminance = targetedMaxLuminance
    self.maxSCL = maxSCL
    self.averageMaxRGB = averageMaxRGB
    self.distribution = distribution
    self.fractionBright = fractionBright
    self.curve = curve
    self.saturationWeight = saturationWeight
  }
}

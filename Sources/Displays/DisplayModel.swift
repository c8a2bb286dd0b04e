public import ColorScience

/// The capabilities of a display, stated by the user, a preset or its EDID.
///
/// Luminances are in cd/m². In EDR, 1.0 is SDR white at the user's brightness setting; the headroom is the ratio of the
/// peak to it.
public struct DisplayModel: Sendable, Hashable {
  /// The user's name for the display.
  public var name: String
  /// Peak luminance of a small area.
  public var peak: Double
  /// Black level.
  public var black = 0.0
  /// SDR white at full brightness.
  public var sdrWhite: Double
  /// SDR white at the lowest brightness in use; determines `potentialHeadroom`.
  public var minimumSDRWhite: Double
  /// Native primaries, and the white it is driven to.
  public var primaries: RGBSpace
  /// The function from code values to light.
  public var transfer: DisplayTransfer
  /// Bits per component at the input.
  public var bitDepth = 10
  /// The colour format that the display is set to, if it is a single one.
  public var format: ReferenceFormat?
  /// Reference mode is switched on.
  public var isReferenceModeEnabled = false
  /// The peak is assumed from displays of this kind, because the display states none.
  public internal(set) var isPeakAssumed = false
  /// The problems of its EDID.
  public internal(set) var problems: [EDID.Problem] = []
  /// White-point correction; nil: none.
  public var whitePoint: WhitePointAdaptation?

  /// The valid range of luminances in cd/m².
  static let luminances = 1.0...10_000

  /// Creates a ten-bit display without reference mode.
  /// - Parameters:
  ///   - name: The user's name for the display.
  ///   - peak: In cd/m².
  ///   - sdrWhite: In cd/m², at most `peak`.
  ///   - minimumSDRWhite: In cd/m², at most `sdrWhite` (the default).
  ///   - primaries: Primaries and white.
  ///   - transfer: The function from code values to light.
  public init(
    _ name: String, peak: Double, sdrWhite: Double, minimumSDRWhite: Double? = nil, primaries: RGBSpace,
    transfer: DisplayTransfer
  ) {
    (self.name, self.peak, self.sdrWhite, self.primaries, self.transfer) = (name, peak, sdrWhite, primaries, transfer)
    self.minimumSDRWhite = minimumSDRWhite ?? sdrWhite
  }

  /// The maximum headroom, reached at the lowest brightness. At least 1.
  public var potentialHeadroom: Double { max(peak / minimumSDRWhite, 1) }

  /// The headroom of reference mode; 0 if it is not supported.
  ///
  /// Up to here values are shown unchanged, without adaptation to ambient light.
  public var referenceHeadroom: Double {
    supportsReferenceMode ? min(ReferenceMode.headroom, peak / min(ReferenceMode.sdrWhite, peak)) : 0
  }

  /// Displays that can have headroom support reference mode; its status is `limited` if the headroom is too low.
  public var supportsReferenceMode: Bool { potentialHeadroom >= Self.headroomForHDR }

  /// The potential headroom below which HDR has no advantage over SDR.
  public static let headroomForHDR = 1.5
}

/// A display's function from code values to light, relative to its peak.
public enum DisplayTransfer: Sendable, Hashable {
  /// SMPTE ST 2084: code values are absolute luminances, up to the display's peak.
  case pq
  /// IEC 61966-2-1.
  case sRGB
  /// ITU-R BT.1886 with the display's black level.
  case bt1886
  /// A pure power function, 1...4.
  case gamma(Double)

  private static let gammas = 1.0...4

  /// "pq", "srgb", "bt1886", or "gamma2.2".
  public var name: String {
    switch self {
    case .pq: "pq"
    case .sRGB: "srgb"
    case .bt1886: "bt1886"
    case .gamma(let exponent): "gamma\(exponent)"
    }
  }

  /// The transfer with a name; nil if unknown.
  public init?(named name: String) {
    switch name {
    case "pq": self = .pq
    case "srgb": self = .sRGB
    case "bt1886": self = .bt1886
    default:
      guard name.hasPrefix("gamma"), let exponent = Double(name.dropFirst(5)), Self.gammas.contains(exponent) else {
        return nil
      }
      self = .gamma(exponent)
    }
  }
}

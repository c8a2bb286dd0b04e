public import ColorScience

/// What a display can show: what a user states, a preset, or what its EDID says.
///
/// Luminances are in cd/m². In EDR 1.0 is SDR white, wherever the user's brightness has it; the headroom is how much brighter
/// the peak is.
public struct DisplayModel: Sendable, Hashable {
  /// What the user calls it.
  public var name: String
  /// The brightest that it gets, of a small area.
  public var peak: Double
  /// The darkest.
  public var black = 0.0
  /// SDR white at full brightness.
  public var sdrWhite: Double
  /// SDR white at the lowest brightness at which it is used: this decides `potentialHeadroom`.
  public var minimumSDRWhite: Double
  /// Its primaries, and its white as it is driven.
  public var primaries: RGBSpace
  /// How code values become light.
  public var transfer: DisplayTransfer
  /// Bits of each component that it accepts.
  public var bitDepth = 10
  /// The format of colours that it is set to, if it is set to a single one.
  public var format: ReferenceFormat?
  /// Reference mode is switched on.
  public var isReferenceModeEnabled = false
  /// Its peak is that of displays of its kind, as it states none.
  public internal(set) var isPeakAssumed = false
  /// What is wrong with its EDID.
  public internal(set) var problems: [EDID.Problem] = []
  /// What fine-tunes its white; nil: nothing.
  public var whitePoint: WhitePointAdaptation?

  /// Luminances in cd/m² that a display can have.
  static let luminances = 1.0...10_000

  /// A display of ten bits without reference mode.
  /// - Parameters:
  ///   - name: What the user calls it.
  ///   - peak: In cd/m².
  ///   - sdrWhite: In cd/m², at most `peak`.
  ///   - minimumSDRWhite: In cd/m², at most `sdrWhite`, which is the default.
  ///   - primaries: Its primaries and its white.
  ///   - transfer: How code values become light.
  public init(
    _ name: String, peak: Double, sdrWhite: Double, minimumSDRWhite: Double? = nil, primaries: RGBSpace,
    transfer: DisplayTransfer
  ) {
    (self.name, self.peak, self.sdrWhite, self.primaries, self.transfer) = (name, peak, sdrWhite, primaries, transfer)
    self.minimumSDRWhite = minimumSDRWhite ?? sdrWhite
  }

  /// The largest headroom that it ever has: that of the lowest brightness. At least 1.
  public var potentialHeadroom: Double { max(peak / minimumSDRWhite, 1) }

  /// The headroom of reference mode; 0 if it has none.
  ///
  /// Up to here values are shown as they are, with no adaptation to the room.
  public var referenceHeadroom: Double {
    supportsReferenceMode ? min(ReferenceMode.headroom, peak / min(ReferenceMode.sdrWhite, peak)) : 0
  }

  /// Displays that could have headroom have a reference mode, `limited` if it is not enough.
  public var supportsReferenceMode: Bool { potentialHeadroom >= Self.headroomForHDR }

  /// Below this potential headroom HDR gains nothing over SDR.
  public static let headroomForHDR = 1.5
}

/// How a display turns code values into light, relative to its peak.
public enum DisplayTransfer: Sendable, Hashable {
  /// SMPTE ST 2084: code values are luminances, up to the display's peak.
  case pq
  /// IEC 61966-2-1.
  case sRGB
  /// ITU-R BT.1886 with the display's black.
  case bt1886
  /// A pure power, 1...4.
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

  /// The transfer of a name; nil if there is none.
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

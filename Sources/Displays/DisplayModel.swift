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

  /// SDR white in cd/m² of displays that state only their peak; the value for HDR television. Source: ITU-R BT.2408-7,
  /// 2.1.
  private static let hdrWhite = 203.0

  /// Peak in cd/m² of HDR displays that state none, such as most televisions. Source: ITU-R BT.2100-2, table 5, the
  /// nominal peak.
  private static let assumedHDRPeak = 1000.0

  /// A display model from an EDID.
  ///
  /// An EDID does not state SDR white. Displays that accept PQ or HLG are assumed to show it at 203 cd/m² at full
  /// brightness and to be used down to 100; others to have no headroom. An unstated peak is 1000 cd/m² with PQ or HLG,
  /// 100 without; other unstated values default to sRGB.
  /// - Parameters:
  ///   - edid: The display's EDID.
  ///   - name: The name if the EDID has none.
  public init(_ edid: EDID, name: String) {
    let accepts = edid.hdr?.transferFunctions ?? []
    let isHDR = !accepts.isDisjoint(with: [.pq, .hlg])
    let assumed = isHDR ? Self.assumedHDRPeak : ReferenceMode.sdrWhite
    let peak = min(max(edid.peakLuminance ?? assumed, Self.luminances.lowerBound), Self.luminances.upperBound)
    self.init(
      edid.name ?? name, peak: peak, sdrWhite: isHDR ? min(Self.hdrWhite, peak) : peak,
      minimumSDRWhite: isHDR ? min(ReferenceMode.sdrWhite, peak) : peak,
      primaries: edid.primaries ?? .bt709, transfer: accepts.contains(.pq) ? .pq : Self.transfer(edid))
    (isPeakAssumed, problems) = (isHDR && edid.peakLuminance == nil, edid.problems)
    black = min(max(edid.minLuminance ?? 0, 0), peak / 2, 10)
    bitDepth = min(max(edid.displayID?.bitsPerColor ?? edid.bitsPerColor ?? (isHDR ? 10 : 8), 6), 16)
  }

  private static func transfer(_ edid: EDID) -> DisplayTransfer {
    if edid.isSRGB { return .sRGB }
    // The EDID range is 1 to 3.54.
    return .gamma(edid.bestGamma ?? 2.2)
  }

  /// A display model for a browser's screen. SDR is modelled as a BT.709 display. No browser reports luminance: HDR
  /// screens are assumed to belong to the 1000 cd/m² class, with SDR white no brighter than the diffuse white of HDR
  /// video.
  ///
  /// Source: ITU-R BT.2408-7, 2.1 (203 cd/m²).
  /// - Parameter screen: The reported properties.
  public init(_ screen: BrowserScreen) {
    guard screen.isHDR else {
      self.init(
        "SDR screen", peak: ReferenceMode.sdrWhite, sdrWhite: ReferenceMode.sdrWhite, primaries: .bt709,
        transfer: .bt1886)
      bitDepth = screen.bitDepth
      return
    }
    self.init(
      "HDR screen", peak: ReferenceMode.peak, sdrWhite: 203, minimumSDRWhite: ReferenceMode.sdrWhite,
      // A browser that does not know the gamut does its own gamut mapping.
      primaries: screen.gamut == .p3 ? .displayP3 : .bt2020, transfer: .pq)
    (bitDepth, isPeakAssumed) = (screen.bitDepth, true)
  }
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

extension DisplayModel {
  /// The named display presets.
  ///
  /// `edr-2` to `edr-400` are display classes in P3, at the brightness that gives their full headroom. The others are
  /// single formats, as on reference monitors, with SDR white at 100 cd/m².
  public static let presets: [DisplayModel] =
    [
      // A backlight without local dimming: a notebook or a desktop display.
      edr("edr-2", peak: 500, headroom: 2),
      // An HDR10 monitor of the 1000 cd/m² class.
      edr("edr-5", peak: 1000, headroom: 5),
      // An OLED phone.
      edr("edr-8", peak: 1600, headroom: 8),
      // A tablet or notebook with mini-LEDs.
      edr("edr-16", peak: 1600, headroom: 16),
      // A mastering display in a dark room.
      edr("edr-400", peak: 1600, headroom: 400),
      reference,
    ] + formats

  /// Reference mode on a display with its full headroom.
  public static let reference: DisplayModel = {
    var model = DisplayModel(
      "reference", peak: ReferenceMode.peak, sdrWhite: ReferenceMode.sdrWhite, primaries: ReferenceMode.primaries,
      transfer: .pq)
    model.isReferenceModeEnabled = true
    return model
  }()

  /// Returns the preset with a name; nil if unknown.
  public static func preset(named name: String) -> DisplayModel? { presets.first { $0.name == name } }

  private static func edr(_ name: String, peak: Double, headroom: Double) -> DisplayModel {
    DisplayModel(name, peak: peak, sdrWhite: peak / headroom, primaries: .displayP3, transfer: .pq)
  }

  /// Monitors set to a single format.
  private static let formats: [DisplayModel] = [
    monitor("bt709", .bt709, .bt1886, format: .bt709),
    monitor("bt601-smpte-c", .smpte170M, .bt1886, format: .bt601SMPTEC),
    monitor("bt601-ebu", .bt470BG, .bt1886, format: .bt601EBU),
    monitor("srgb", .bt709, .sRGB, format: .sRGB),
    // Source: SMPTE RP 431-2 (2011), 48 cd/m² and a power of 2.6.
    monitor("p3-dci", .dciP3, .gamma(2.6), white: 48),
    monitor("p3-d65", .displayP3, .gamma(2.6), white: 48),
    monitor("p3-d50", .p3D50, .sRGB, white: 160),
    monitor("p3-st2084", .displayP3, .pq, peak: ReferenceMode.peak, format: .pq),
  ]

  private static func monitor(
    _ name: String, _ primaries: RGBSpace, _ transfer: DisplayTransfer, white: Double = ReferenceMode.sdrWhite,
    peak: Double? = nil, format: ReferenceFormat? = nil
  ) -> DisplayModel {
    var model = DisplayModel(name, peak: peak ?? white, sdrWhite: white, primaries: primaries, transfer: transfer)
    model.format = format
    return model
  }
}

extension RGBSpace {
  /// P3 with the white of print viewing, D50. Source: ISO 3664 for the white, SMPTE RP 431-2 for the primaries.
  static let p3D50 = RGBSpace(
    red: RGBSpace.dciP3.red, green: RGBSpace.dciP3.green, blue: RGBSpace.dciP3.blue,
    white: Chromaticity(x: 0.3457, y: 0.3585))
}

/// Screen properties reported by a browser.
///
/// Source: W3C Media Queries Level 5, 5.5 `dynamic-range` and `video-dynamic-range`, 6.4 `color-gamut`.
public struct BrowserScreen: Sendable, Hashable {
  /// The minimum gamut of a screen.
  public enum Gamut: String, Sendable, Hashable, Codable, CaseIterable {
    /// Approximately BT.709, P3 and BT.2020.
    case srgb, p3, rec2020
  }

  /// The screen can exceed SDR white.
  public var isHDR: Bool
  /// The screen's gamut; nil: not reported.
  public var gamut: Gamut?
  /// Bits per component.
  public var bitDepth: Int

  /// Creates a screen description.
  public init(isHDR: Bool, gamut: Gamut? = nil, bitDepth: Int = 8) {
    (self.isHDR, self.gamut, self.bitDepth) = (isHDR, gamut, bitDepth)
  }
}

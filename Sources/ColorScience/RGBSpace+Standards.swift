extension RGBSpace {
  private static func xy(_ x: Double, _ y: Double) -> Chromaticity { Chromaticity(x: x, y: y) }

  /// Source: ITU-R BT.709-6, items 1.3 and 1.4; also IEC 61966-2-1 (sRGB).
  public static let bt709 = RGBSpace(
    red: xy(0.640, 0.330), green: xy(0.300, 0.600), blue: xy(0.150, 0.060), white: .d65)
  /// Source: ITU-R BT.2020-2, table 3; BT.2100-2, table 2.
  public static let bt2020 = RGBSpace(
    red: xy(0.708, 0.292), green: xy(0.170, 0.797), blue: xy(0.131, 0.046), white: .d65)
  /// P3 primaries with D65 white. Source: SMPTE EG 432-1 (2010); H.273 code 12.
  public static let displayP3 = RGBSpace(
    red: xy(0.680, 0.320), green: xy(0.265, 0.690), blue: xy(0.150, 0.060), white: .d65)
  /// P3 primaries with the white of digital cinema. Source: SMPTE RP 431-2 (2011); H.273 code 11.
  public static let dciP3 = RGBSpace(
    red: xy(0.680, 0.320), green: xy(0.265, 0.690), blue: xy(0.150, 0.060), white: .dci)
  /// Source: ITU-R BT.601-7, 625 lines; H.273 code 5.
  public static let bt470BG = RGBSpace(
    red: xy(0.640, 0.330), green: xy(0.290, 0.600), blue: xy(0.150, 0.060), white: .d65)
  /// Source: ITU-R BT.601-7, 525 lines; SMPTE ST 170 and ST 240; H.273 codes 6 and 7.
  public static let smpte170M = RGBSpace(
    red: xy(0.630, 0.340), green: xy(0.310, 0.595), blue: xy(0.155, 0.070), white: .d65)
  /// Source: ITU-R BT.470-6, system M; H.273 code 4.
  public static let bt470M = RGBSpace(
    red: xy(0.67, 0.33), green: xy(0.21, 0.71), blue: xy(0.14, 0.08), white: .illuminantC)
  /// Generic film with Wratten filters. Source: H.273 code 8.
  public static let film = RGBSpace(
    red: xy(0.681, 0.319), green: xy(0.243, 0.692), blue: xy(0.145, 0.049), white: .illuminantC)
  /// CIE XYZ itself as primaries. Source: SMPTE ST 428-1 (2019); H.273 code 10.
  public static let smpteST428 = RGBSpace(red: xy(1, 0), green: xy(0, 1), blue: xy(0, 0), white: xy(1.0 / 3, 1.0 / 3))
  /// Source: EBU Tech. 3213-E (1975) as H.273 code 22 states it.
  public static let ebu3213 = RGBSpace(
    red: xy(0.630, 0.340), green: xy(0.295, 0.605), blue: xy(0.155, 0.077), white: .d65)
}

extension ColorPrimaries {
  /// The space of a code point; nil if unspecified.
  ///
  /// Source: ITU-T H.273 (07/2021), table 2.
  public var space: RGBSpace? {
    switch self {
    case .bt709: .bt709
    case .unspecified: nil
    case .bt470M: .bt470M
    case .bt470BG: .bt470BG
    case .smpte170M, .smpte240M: .smpte170M
    case .film: .film
    case .bt2020: .bt2020
    case .smpteST428: .smpteST428
    case .dciP3: .dciP3
    case .displayP3: .displayP3
    case .ebu3213: .ebu3213
    }
  }
}

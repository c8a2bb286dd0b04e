/// Colour encodings that a display accepts in addition to its default.
///
/// Source: CTA-861-H, 7.5.5.
public struct Colorimetry: OptionSet, Sendable, Hashable, Codable {
  /// The data block's third byte in bits 0 to 7, the upper half of its fourth byte in bits 12 to 15.
  public let rawValue: UInt16

  /// Bits as in `rawValue`.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// xvYCC with the BT.601 matrix. Source: IEC 61966-2-4.
  public static let xvYCC601 = Colorimetry(rawValue: 1 << 0)
  /// xvYCC with the BT.709 matrix. Source: IEC 61966-2-4.
  public static let xvYCC709 = Colorimetry(rawValue: 1 << 1)
  /// sYCC with the BT.601 matrix. Source: IEC 61966-2-1, amendment 1.
  public static let sYCC601 = Colorimetry(rawValue: 1 << 2)
  /// opYCC, formerly AdobeYCC, with the BT.601 matrix. Source: IEC 61966-2-5.
  public static let opYCC601 = Colorimetry(rawValue: 1 << 3)
  /// opRGB, formerly Adobe RGB. Source: IEC 61966-2-5.
  public static let opRGB = Colorimetry(rawValue: 1 << 4)
  /// Constant-luminance Y′cC′bcC′rc. Source: ITU-R BT.2020-2.
  public static let bt2020cYCC = Colorimetry(rawValue: 1 << 5)
  /// Y′C′bC′r. Source: ITU-R BT.2020-2.
  public static let bt2020YCC = Colorimetry(rawValue: 1 << 6)
  /// R′G′B′. Source: ITU-R BT.2020-2.
  public static let bt2020RGB = Colorimetry(rawValue: 1 << 7)
  /// The display's default RGB, explicitly signalled.
  public static let defaultRGB = Colorimetry(rawValue: 1 << 12)
  /// sRGB, explicitly signalled. Source: IEC 61966-2-1.
  public static let sRGB = Colorimetry(rawValue: 1 << 13)
  /// ICtCp. Source: ITU-R BT.2100-2.
  public static let iCtCp = Colorimetry(rawValue: 1 << 14)
  /// R′G′B′ of DCI-P3, D65 or theatre white as signalled. Source: SMPTE ST 2113.
  public static let dciP3 = Colorimetry(rawValue: 1 << 15)
}

extension Colorimetry {
  /// Reads the two bytes after the extended tag; nil if they are missing.
  init?(payload: Span<UInt8>) {
    guard payload.count >= 2 else { return nil }
    // The lower half of the second byte belonged to gamut metadata profiles, which describe no encoding.
    self.init(rawValue: UInt16(payload.integer16(at: 0) & 0xF0FF))
  }
}

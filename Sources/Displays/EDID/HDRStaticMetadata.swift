import Glibc

/// The transfer functions and luminance range that a display supports for HDR content.
///
/// Source: CTA-861-H, 7.5.13; formerly CTA-861.3.
public struct HDRStaticMetadata: Sendable, Hashable, Codable {
  /// Electro-optical transfer functions. Source: CTA-861-H, 7.5.13, data byte 1.
  public struct TransferFunctions: OptionSet, Sendable, Hashable, Codable {
    /// One bit per function.
    public let rawValue: UInt8

    /// Bits as in data byte 1.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Gamma with the luminance range of SDR.
    public static let traditionalSDR = TransferFunctions(rawValue: 1 << 0)
    /// Gamma with the luminance range of HDR.
    public static let traditionalHDR = TransferFunctions(rawValue: 1 << 1)
    /// Perceptual quantizer. Source: SMPTE ST 2084.
    public static let pq = TransferFunctions(rawValue: 1 << 2)
    /// Hybrid log-gamma. Source: ITU-R BT.2100-2.
    public static let hlg = TransferFunctions(rawValue: 1 << 3)
  }

  /// Kinds of static metadata. Source: CTA-861-H, 7.5.13, data byte 2.
  public struct MetadataTypes: OptionSet, Sendable, Hashable, Codable {
    /// One bit per type.
    public let rawValue: UInt8

    /// Bits as in data byte 2.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Type 1: mastering display colour volume, MaxCLL and MaxFALL. Source: CTA-861-H, 6.9.1.
    public static let type1 = MetadataTypes(rawValue: 1 << 0)
  }

  /// The supported transfer functions.
  public let transferFunctions: TransferFunctions
  /// The supported static metadata.
  public let metadataTypes: MetadataTypes
  /// Desired peak luminance of content in cd/m², 51...12525; nil if not stated.
  public let maxLuminance: Double?
  /// Desired maximum frame-average luminance of content in cd/m², 51...12525; nil if not stated.
  public let maxFrameAverageLuminance: Double?
  /// Desired minimum luminance of content in cd/m², up to 1/100 of `maxLuminance`; nil if not stated.
  public let minLuminance: Double?
}

extension HDRStaticMetadata {
  /// Reads the bytes after the extended tag; nil if the two required bytes are missing.
  ///
  /// Source: CTA-861-H, 7.5.13. A code of 0 means not stated.
  init?(payload: Span<UInt8>) {
    guard payload.count >= 2 else { return nil }
    transferFunctions = TransferFunctions(rawValue: UInt8(payload[at: 0]))
    metadataTypes = MetadataTypes(rawValue: UInt8(payload[at: 1]))
    let maximum = Self.maximum(payload[at: 2])
    maxLuminance = maximum
    maxFrameAverageLuminance = Self.maximum(payload[at: 3])
    minLuminance = maximum.flatMap { Self.minimum(payload[at: 4], below: $0) }
  }

  private static func maximum(_ code: Int) -> Double? { code == 0 ? nil : 50 * exp2(Double(code) / 32) }

  private static func minimum(_ code: Int, below maximum: Double) -> Double? {
    let share = Double(code) / 255
    return code == 0 ? nil : maximum * share * share / 100
  }
}

/// Colour encodings that a display accepts in addition to its default.
///
/// Source: CTA-861-H, 7.5.5.
public struct Colorimetry: OptionSet, Sendable, Hashable, Codable {
  /// The data block's third byte in bits 0 to 7, the upper half of its fourth byte in bits 12 to 15.
  public let rawValue: UInt16

  /// Bits as in `rawValue`.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

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

  /// Reads the two bytes after the extended tag; nil if they are missing.
  init?(payload: Span<UInt8>) {
    guard payload.count >= 2 else { return nil }
    // The lower half of the second byte belonged to gamut metadata profiles, which describe no encoding.
    self.init(rawValue: UInt16(payload.integer16(at: 0) & 0xF0FF))
  }
}

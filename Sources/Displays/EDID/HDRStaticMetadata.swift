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
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

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
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

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

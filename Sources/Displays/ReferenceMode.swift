public import ColorScience

/// Reference mode: a fixed display setting; the source's tags determine the colour management.
///
/// There is no tone mapping and no adaptation to ambient light, and HDR metadata is ignored: values are absolute
/// luminances.
public enum ReferenceMode {
  /// Luminance of SDR white in cd/m².
  public static let sdrWhite = 100.0
  /// Peak luminance in cd/m².
  public static let peak = 1000.0
  /// Peak over SDR white.
  public static let headroom = peak / sdrWhite
  /// The clipping gamut.
  public static let primaries = RGBSpace.displayP3

  /// The status of reference mode on a display.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// Enabled, with sufficient headroom.
    case enabled
    /// Enabled, but the current headroom is below 10: highlights are clipped.
    case limited
    /// Supported, but not enabled.
    case notEnabled
    /// Not supported.
    case notSupported
  }

  /// Returns the status of a display.
  /// - Parameters:
  ///   - isSupported: Whether the display supports the mode.
  ///   - isEnabled: Whether the mode is enabled.
  ///   - headroom: The current headroom.
  public static func status(isSupported: Bool, isEnabled: Bool, headroom: Double) -> Status {
    guard isSupported else { return .notSupported }
    guard isEnabled else { return .notEnabled }
    // Tolerates rounding of a computed headroom.
    return headroom >= Self.headroom * (1 - 1e-9) ? .enabled : .limited
  }
}

/// A video format that reference mode shows unchanged.
public enum ReferenceFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// ITU-R BT.709 on a BT.1886 display.
  case bt709
  /// ITU-R BT.601, 525 lines, with SMPTE C primaries.
  case bt601SMPTEC
  /// ITU-R BT.601, 625 lines, with EBU Tech. 3213 primaries as given in BT.601.
  case bt601EBU
  /// IEC 61966-2-1.
  case sRGB
  /// ITU-R BT.2100 PQ, with and without HDR10 metadata.
  case pq
  /// ITU-R BT.2100 HLG.
  case hlg

  /// The surround in which a format is meant to be viewed.
  public enum Surround: String, Sendable, Hashable, Codable {
    /// A room for grading or watching video. Source: ITU-R BT.2035, BT.2100-2 table 3.
    case dim
    /// An office. Source: IEC 61966-2-1, 4.1; ISO 3664, monitor viewing.
    case bright
  }

  /// The common name.
  public var name: String {
    switch self {
    case .bt709: "BT.709 (BT.1886)"
    case .bt601SMPTEC: "BT.601 SMPTE C (BT.1886)"
    case .bt601EBU: "BT.601 EBU (BT.1886)"
    case .sRGB: "sRGB"
    case .pq: "BT.2100 PQ"
    case .hlg: "BT.2100 HLG"
    }
  }

  /// The intended surround: dim for video, bright for graphics.
  public var surround: Surround { self == .sRGB ? .bright : .dim }

  /// Whether light exceeds SDR white.
  public var isHDR: Bool { self == .pq || self == .hlg }

  /// The format with these code points; nil if no format has them.
  ///
  /// The matrix must belong to the format. R'G'B' fits all, as do YCgCo and ICtCp, which represent the same components
  /// differently.
  /// - Parameters:
  ///   - primaries: Colour primaries.
  ///   - transfer: Transfer characteristics.
  ///   - matrix: Matrix coefficients.
  /// Source: ITU-T H.273 (07/2021), tables 2 to 4.
  public init?(primaries: ColorPrimaries, transfer: TransferCharacteristics, matrix: MatrixCoefficients) {
    switch (primaries, transfer) {
    case (.bt709, .bt709), (.bt709, .smpte170M), (.bt709, .bt2020TenBit), (.bt709, .bt2020TwelveBit): self = .bt709
    case (.smpte170M, .bt709), (.smpte170M, .smpte170M): self = .bt601SMPTEC
    case (.bt470BG, .bt709), (.bt470BG, .smpte170M): self = .bt601EBU
    case (.bt709, .sRGB): self = .sRGB
    case (.bt2020, .pq): self = .pq
    case (.bt2020, .hlg): self = .hlg
    default: return nil
    }
    guard matrices.contains(matrix) else { return nil }
  }

  private var matrices: [MatrixCoefficients] {
    switch self {
    case .bt709: [.rgb, .bt709, .ycgco]
    case .bt601SMPTEC, .bt601EBU: [.rgb, .smpte170M, .bt470BG, .ycgco]
    // JPEG uses the BT.601 matrix, video of graphics the BT.709 matrix.
    case .sRGB: [.rgb, .bt709, .smpte170M, .bt470BG, .ycgco]
    case .pq, .hlg: [.rgb, .bt2020NCL, .ictcp, .ycgco]
    }
  }
}

public import ColorScience

/// Reference mode: one setting of a display, and the source's tags choose the colour management.
///
/// Nothing is tone-mapped, HDR metadata is ignored, and nothing adapts to the room: a value is a luminance.
public enum ReferenceMode {
  /// Luminance of SDR white in cd/m².
  public static let sdrWhite = 100.0
  /// The brightest in cd/m².
  public static let peak = 1000.0
  /// Peak over SDR white.
  public static let headroom = peak / sdrWhite
  /// The gamut that colours are clipped to.
  public static let primaries = RGBSpace.displayP3

  /// Whether a display is in reference mode.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is, and shows what the mode promises.
    case enabled
    /// It is, but its headroom is below 10 for the time being: highlights are clipped.
    case limited
    /// It is not, but could be.
    case notEnabled
    /// It has no such mode.
    case notSupported
  }

  /// The status of a display.
  /// - Parameters:
  ///   - isSupported: It has the mode.
  ///   - isEnabled: The mode is switched on.
  ///   - headroom: What it has now.
  public static func status(isSupported: Bool, isEnabled: Bool, headroom: Double) -> Status {
    guard isSupported else { return .notSupported }
    guard isEnabled else { return .notEnabled }
    // A headroom that was computed may be rounded.
    return headroom >= Self.headroom * (1 - 1e-9) ? .enabled : .limited
  }
}

/// A video format that reference mode shows as it is.
public enum ReferenceFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// ITU-R BT.709 on a display of BT.1886.
  case bt709
  /// ITU-R BT.601, 525 lines, in the primaries of SMPTE C.
  case bt601SMPTEC
  /// ITU-R BT.601, 625 lines, in the primaries of EBU Tech. 3213 as BT.601 has them.
  case bt601EBU
  /// IEC 61966-2-1.
  case sRGB
  /// ITU-R BT.2100 PQ, with and without HDR10 metadata.
  case pq
  /// ITU-R BT.2100 HLG.
  case hlg

  /// What surrounds the display where a format is meant to be viewed.
  public enum Surround: String, Sendable, Hashable, Codable {
    /// A room for grading or watching video. Source: ITU-R BT.2035, BT.2100-2 table 3.
    case dim
    /// An office. Source: IEC 61966-2-1, 4.1; ISO 3664, monitor viewing.
    case bright
  }

  /// What the field calls it.
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

  /// Video is watched in dim rooms, graphics in bright ones.
  public var surround: Surround { self == .sRGB ? .bright : .dim }

  /// Whether light exceeds SDR white.
  public var isHDR: Bool { self == .pq || self == .hlg }

  /// The format of content by its code points; nil if it is none of them.
  ///
  /// The matrix must be one that the format has. R'G'B' says the same of any; so do YCgCo and ICtCp, which are other forms
  /// of the same components.
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
    // JPEG has the matrix of BT.601, video of graphics that of BT.709.
    case .sRGB: [.rgb, .bt709, .smpte170M, .bt470BG, .ycgco]
    case .pq, .hlg: [.rgb, .bt2020NCL, .ictcp, .ycgco]
    }
  }
}

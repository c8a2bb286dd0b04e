/// Matrix coefficients by their code point.
///
/// Source: ITU-T H.273 (07/2021), table 4.
public enum MatrixCoefficients: UInt8, Sendable, Hashable, Codable, CaseIterable {
  /// ITU-T H.273 MatrixCoefficients 0: no matrix; G'B'R', or Y'Z'X' of ST 428-1.
  case rgb = 0
  /// ITU-T H.273 MatrixCoefficients 1: ITU-R BT.709, KR 0.2126, KB 0.0722.
  case bt709 = 1
  /// ITU-T H.273 MatrixCoefficients 2: unspecified.
  case unspecified = 2
  /// ITU-T H.273 MatrixCoefficients 4: FCC Title 47 (NTSC 1953), KR 0.30, KB 0.11.
  case fcc = 4
  /// ITU-T H.273 MatrixCoefficients 5: ITU-R BT.601 625 lines, KR 0.299, KB 0.114.
  case bt470BG = 5
  /// ITU-T H.273 MatrixCoefficients 6: SMPTE ST 170, BT.601 525 lines, the same weights as 5.
  case smpte170M = 6
  /// ITU-T H.273 MatrixCoefficients 7: SMPTE ST 240, KR 0.212, KB 0.087.
  case smpte240M = 7
  /// ITU-T H.273 MatrixCoefficients 8: YCgCo.
  case ycgco = 8
  /// ITU-T H.273 MatrixCoefficients 9: ITU-R BT.2020 non-constant luminance, KR 0.2627, KB 0.0593; BT.2100's Y'CbCr.
  case bt2020NCL = 9
  /// ITU-T H.273 MatrixCoefficients 10: ITU-R BT.2020 constant luminance.
  case bt2020CL = 10
  /// ITU-T H.273 MatrixCoefficients 11: SMPTE ST 2085, Y'D'zD'x.
  case smpteST2085 = 11
  /// ITU-T H.273 MatrixCoefficients 12: non-constant luminance, weights derived from the primaries.
  case chromaticityDerivedNCL = 12
  /// ITU-T H.273 MatrixCoefficients 13: constant luminance, weights derived from the primaries.
  case chromaticityDerivedCL = 13
  /// ITU-T H.273 MatrixCoefficients 14: ICtCp of ITU-R BT.2100, by PQ or HLG.
  case ictcp = 14
}

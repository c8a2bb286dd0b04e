/// Matrix coefficients by their code point.
///
/// Source: ITU-T H.273 (07/2021), table 4.
public enum MatrixCoefficients: UInt8, Sendable, Hashable, Codable, CaseIterable {
  case rgb = 0
  case bt709 = 1
  case unspecified = 2
  case fcc = 4
  case bt470BG = 5
  case smpte170M = 6
  case smpte240M = 7
  case ycgco = 8
  case bt2020NCL = 9
  case bt2020CL = 10
  case smpteST2085 = 11
  case chromaticityDerivedNCL = 12
  case chromaticityDerivedCL = 13
  case ictcp = 14
}

/// Colour primaries by their code point.
///
/// Source: ITU-T H.273 (07/2021), table 2.
public enum ColorPrimaries: UInt8, Sendable, Hashable, CaseIterable {
  case bt709 = 1
  case unspecified = 2
  case bt470M = 4
  case bt470BG = 5
  case smpte170M = 6
  case smpte240M = 7
  case film = 8
  case bt2020 = 9
  case smpteST428 = 10
  case dciP3 = 11
  case displayP3 = 12
  case ebu3213 = 22
}

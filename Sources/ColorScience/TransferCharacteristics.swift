/// Transfer characteristics by their code point.
///
/// Source: ITU-T H.273 (07/2021), table 3.
public enum TransferCharacteristics: UInt8, Sendable, Hashable, Codable, CaseIterable {
  case bt709 = 1
  case unspecified = 2
  case gamma22 = 4
  case gamma28 = 5
  case smpte170M = 6
  case smpte240M = 7
  case linear = 8
  case log100 = 9
  case log316 = 10
  case iec61966_2_4 = 11
  case bt1361 = 12
  case sRGB = 13
  case bt2020TenBit = 14
  case bt2020TwelveBit = 15
  case pq = 16
  case smpteST428 = 17
  case hlg = 18
}

/// Transfer characteristics by their code point.
///
/// Source: ITU-T H.273 (07/2021), table 3.
public enum TransferCharacteristics: UInt8, Sendable, Hashable, Codable, CaseIterable {
  /// ITU-T H.273 TransferCharacteristics 1: ITU-R BT.709.
  case bt709 = 1
  /// ITU-T H.273 TransferCharacteristics 2: unspecified.
  case unspecified = 2
  /// ITU-T H.273 TransferCharacteristics 4: BT.470 System M, a display gamma of 2.2.
  case gamma22 = 4
  /// ITU-T H.273 TransferCharacteristics 5: BT.470 System B, G, a display gamma of 2.8.
  case gamma28 = 5
  /// ITU-T H.273 TransferCharacteristics 6: SMPTE ST 170, BT.601; the curve of 1.
  case smpte170M = 6
  /// ITU-T H.273 TransferCharacteristics 7: SMPTE ST 240.
  case smpte240M = 7
  /// ITU-T H.273 TransferCharacteristics 8: linear.
  case linear = 8
  /// ITU-T H.273 TransferCharacteristics 9: logarithmic over a range of 100:1.
  case log100 = 9
  /// ITU-T H.273 TransferCharacteristics 10: logarithmic over a range of 100√10:1.
  case log316 = 10
  /// ITU-T H.273 TransferCharacteristics 11: IEC 61966-2-4 (xvYCC); within 0...1 the curve of 1.
  case iec61966_2_4 = 11
  /// ITU-T H.273 TransferCharacteristics 12: ITU-R BT.1361 extended gamut; within 0...1 the curve of 1.
  case bt1361 = 12
  /// ITU-T H.273 TransferCharacteristics 13: IEC 61966-2-1 sRGB, sYCC.
  case sRGB = 13
  /// ITU-T H.273 TransferCharacteristics 14: ITU-R BT.2020 at 10 bits; the curve of 1.
  case bt2020TenBit = 14
  /// ITU-T H.273 TransferCharacteristics 15: ITU-R BT.2020 at 12 bits; the curve of 1.
  case bt2020TwelveBit = 15
  /// ITU-T H.273 TransferCharacteristics 16: SMPTE ST 2084, the PQ of ITU-R BT.2100.
  case pq = 16
  /// ITU-T H.273 TransferCharacteristics 17: SMPTE ST 428-1, a power of 2.6.
  case smpteST428 = 17
  /// ITU-T H.273 TransferCharacteristics 18: ARIB STD-B67, the HLG of ITU-R BT.2100.
  case hlg = 18
}

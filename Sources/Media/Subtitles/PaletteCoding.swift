/// How the colours of a subtitle's palette are coded, in eight bits.
public enum PaletteCoding: String, Sendable, Hashable, Codable {
  /// Red, green and blue of sRGB.
  case sRGB
  /// Y', Cb and Cr of ITU-R BT.601, narrow range: PGS of up to 576 lines.
  case bt601
  /// Y', Cb and Cr of ITU-R BT.709, narrow range: PGS of Blu-ray.
  case bt709
  /// Y', Cb and Cr of ITU-R BT.2100 PQ, narrow range: PGS of Ultra HD Blu-ray with HDR.
  case bt2020PQ
}

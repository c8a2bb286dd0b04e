/// Interpretation of the palettes of burnt-in Blu-ray subtitles (PGS).
public enum SubtitlePalette: String, Sendable, Hashable, Codable, CaseIterable {
  /// Y'CbCr of BT.709: Blu-ray.
  case bt709
  /// Y'CbCr of BT.2100 PQ: Ultra HD Blu-ray with HDR.
  case bt2020PQ = "bt2020-pq"
}

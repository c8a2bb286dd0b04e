/// How code values map to the signal range.
///
/// Source: ITU-T H.273 (07/2021), clause 8.3, `VideoFullRangeFlag`.
public enum VideoRange: UInt8, Sendable, Hashable, Codable, CaseIterable {
  /// 64...940 and 64...960 of ten bit ("limited", "tv").
  case narrow = 0
  /// 0...1023 of ten bit ("pc").
  case full = 1
}

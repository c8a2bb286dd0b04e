/// Content light level: the brightest pixel and the brightest frame average of a programme.
///
/// Source: CTA-861.3-A (2016), annex A; ISO/IEC 23008-2 (HEVC), D.2.35.
public struct ContentLight: Sendable, Hashable, Codable {
  /// Maximum content light level in cd/m²; 0 is "unknown".
  public var maxCLL: UInt16
  /// Maximum frame-average light level in cd/m²; 0 is "unknown".
  public var maxFALL: UInt16

  /// Whole cd/m², of which 0 means "unknown".
  public init(maxCLL: UInt16, maxFALL: UInt16) {
    self.maxCLL = maxCLL
    self.maxFALL = maxFALL
  }

  /// Rounds up to whole cd/m², at most 10000, the maximum of PQ.
  ///
  /// An excess of a millionth is treated as rounding error. No light at all becomes 0, which is "unknown".
  /// Both values are in cd/m².
  public init(roundingUp maxCLL: Double, maxFALL: Double) {
    func whole(_ nits: Double) -> UInt16 { nits > 1e-6 ? UInt16(min(nits - 1e-6, 10_000).rounded(.up)) : 0 }
    self.init(maxCLL: whole(maxCLL), maxFALL: whole(maxFALL))
  }
}

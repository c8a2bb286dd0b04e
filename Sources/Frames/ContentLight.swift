/// Content light level: the brightest pixel and the brightest frame average of a programme.
///
/// Source: CTA-861.3-A (2016), annex A; ISO/IEC 23008-2 (HEVC), D.2.35.
public struct ContentLight: Sendable, Hashable {
  /// Maximum content light level in cd/m²; 0 is "unknown".
  public var maxCLL: UInt16
  /// Maximum frame-average light level in cd/m²; 0 is "unknown".
  public var maxFALL: UInt16

  public init(maxCLL: UInt16, maxFALL: UInt16) {
    self.maxCLL = maxCLL
    self.maxFALL = maxFALL
  }
}

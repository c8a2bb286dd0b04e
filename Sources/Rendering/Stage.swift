/// A step between decoding and coding, on linear light.
///
/// A stage has no state that changes; what it needs of a frame it was made from. A stage that would do nothing is
/// not made.
public protocol Stage: Sendable {
  /// The obviously correct form, one pixel at a time.
  /// - Parameter rgb: Linear components in band units.
  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double>

  /// The fast form, in place.
  @unsafe
  func process(_ band: LinearBand, tier: KernelTier)

  /// The stage as a mapping of each pixel by itself, where it is nothing else. As the last stage it is then run while
  /// packing, without rounding to half float after it.
  var mapping: LightMapping? { get }
}

extension Stage {
  public var mapping: LightMapping? { nil }
}

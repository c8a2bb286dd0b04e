/// A step between decoding and coding, on linear light.
///
/// What a stage does to a band depends on nothing but the band: what it needs of a frame it was made from. It may count
/// what passes, for each worker by itself. A stage that would do nothing is not made.
public protocol Stage: Sendable {
  /// The obviously correct form, one pixel at a time.
  /// - Parameter rgb: Linear components in band units.
  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double>

  /// The fast form, in place.
  /// - Parameters:
  ///   - band: The rows; 1.0 is SDR white.
  ///   - tier: The instruction set whose kernels may be used.
  ///   - worker: Number of the worker that calls, below the `count` of its `WorkerPool`.
  @unsafe
  func process(_ band: LinearBand, tier: KernelTier, worker: Int)

  /// The stage as a mapping of each pixel by itself, where it is nothing else. As the last stage it is then run while
  /// packing, without rounding to half float after it.
  var mapping: ColorTransform? { get }

  /// The stage counts what passes and leaves the light as it is.
  var leavesLight: Bool { get }
}

extension Stage {
  public var mapping: ColorTransform? { nil }
  public var leavesLight: Bool { false }
}

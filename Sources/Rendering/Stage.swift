/// A processing step on linear light between decoding and coding.
///
/// The effect of a stage depends only on the band; frame-dependent values are fixed when the stage is created. It may
/// keep counts per worker. Stages without effect are not created.
public protocol Stage: Sendable {
  /// The reference implementation, one pixel at a time.
  /// - Parameter rgb: Linear components in band units.
  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double>

  /// The fast implementation, in place.
  /// - Parameters:
  ///   - band: The rows; 1.0 is SDR white.
  ///   - tier: The instruction set of the kernels to use.
  ///   - worker: Number of the calling worker, below the `count` of its `WorkerPool`.
  @unsafe
  func process(_ band: LinearBand, tier: KernelTier, worker: Int)

  /// The stage as a pure per-pixel mapping, if it is one. As the last stage, it then runs while packing, without
  /// intermediate rounding to half float.
  var mapping: ColorTransform? { get }

  /// Whether the stage only counts and leaves the light unchanged.
  var leavesLight: Bool { get }
}

extension Stage {
  public var mapping: ColorTransform? { nil }
  public var leavesLight: Bool { false }
}

/// Something that may go wrong with R'G'B' signals on their way, and what it makes of them.
struct Distortion: Sendable {
  /// Of two distortions the one with the lower stage comes first.
  enum Stage: Int, Sendable {
    /// How light becomes a signal: transfer function and primaries.
    case encoding
    case level
    case matrix
    case range
  }

  var stage: Stage
  var faults: [Fault]
  /// Numbers that were fitted to what is explained.
  var parameters = 0
  /// The tags alone are wrong: a single colour tells that, for its codes are what they should be.
  var isTagOnly = false
  /// Luminance in cd/m² above which everything is clipped.
  var clipPoint: Double?
  /// Signal to signal in the input's encoding; of stage `encoding`, from the signal of the expected kind.
  var apply: @Sendable (SIMD3<Double>) -> SIMD3<Double>
}

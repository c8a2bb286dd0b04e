/// A possible distortion of R'G'B' signals.
struct Distortion: Sendable {
  /// Distortions are applied in order of stage.
  enum Stage: Int, Sendable {
    /// How light becomes a signal: transfer function and primaries.
    case encoding
    case level
    case matrix
    case range
  }

  var stage: Stage
  var faults: [Fault]
  /// Number of fitted parameters.
  var parameters = 0
  /// Only the tags are wrong: a single colour proves it, because its codes are as expected.
  var isTagOnly = false
  /// Luminance in cd/m² above which everything is clipped.
  var clipPoint: Double?
  /// Signal to signal in the input's encoding; of stage `encoding`, from the signal of the expected kind.
  var apply: @Sendable (SIMD3<Double>) -> SIMD3<Double>
}

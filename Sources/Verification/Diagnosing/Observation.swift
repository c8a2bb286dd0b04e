/// A colour of the pattern and its measurement.
struct Observation: Sendable {
  /// R'G'B' of the expected kind, neither rounded nor limited.
  var expected: SIMD3<Double>
  /// Components of the input in code values.
  var measured: SIMD3<Double>
  /// A patch has weight 1, all points of a ramp together the weight of a few patches.
  var weight: Double
}

/// A colour of the pattern and what became of it.
struct Observation: Sendable {
  /// R'G'B' of the expected kind, neither rounded nor limited.
  var expected: SIMD3<Double>
  /// Components of the input in code values.
  var measured: SIMD3<Double>
  /// A patch weighs 1, the points of a ramp together as a few patches.
  var weight: Double
}

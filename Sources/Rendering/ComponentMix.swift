public import ColorScience

/// What a gain is taken from: a weighted sum of the components, and shares of the largest and the smallest of them in
/// other primaries.
public struct ComponentMix: Sendable, Hashable {
  /// Weights of the components as they are.
  public var weights: SIMD3<Double>
  /// Share of the largest component after `matrix`.
  public var largest: Double
  /// Share of the smallest component after `matrix`.
  public var smallest: Double
  /// From the primaries of the content to those of `largest` and `smallest`.
  public var matrix: Matrix3

  /// Weights and shares are taken as they are; they need not sum to 1.
  public init(weights: SIMD3<Double>, largest: Double, smallest: Double, matrix: Matrix3) {
    self.weights = weights
    self.largest = largest
    self.smallest = smallest
    self.matrix = matrix
  }

  /// The mix of one pixel's linear components, in their unit.
  public func value(_ rgb: SIMD3<Double>) -> Double {
    let other = matrix * rgb
    return (weights * rgb).sum() + largest * other.max() + smallest * other.min()
  }
}

public import ColorScience

/// What a gain is taken from: a weighted sum of the components, and shares of the largest and the smallest of them in
/// other primaries.
public struct ComponentMix: Sendable, Hashable {
  /// Weights of the components as they are.
  public var weights: SIMD3<Double>
  /// Shares of the largest and the smallest component after `matrix`.
  public var largest: Double
  public var smallest: Double
  /// From the primaries of the content to those of `largest` and `smallest`.
  public var matrix: Matrix3

  public init(weights: SIMD3<Double>, largest: Double, smallest: Double, matrix: Matrix3) {
    self.weights = weights
    self.largest = largest
    self.smallest = smallest
    self.matrix = matrix
  }

  public func value(_ rgb: SIMD3<Double>) -> Double {
    let other = matrix * rgb
    return (weights * rgb).sum() + largest * other.max() + smallest * other.min()
  }
}

public import ColorScience

/// The argument of a gain: a weighted sum of the components, plus fractions of the largest and the smallest component
/// in other primaries.
public struct ComponentMix: Sendable, Hashable {
  /// Weights of the components.
  public var weights: SIMD3<Double>
  /// Weight of the largest component after `matrix`.
  public var largest: Double
  /// Weight of the smallest component after `matrix`.
  public var smallest: Double
  /// From the primaries of the content to the primaries of `largest` and `smallest`.
  public var matrix: Matrix3

  /// Creates a mix; weights need not sum to 1.
  public init(weights: SIMD3<Double>, largest: Double, smallest: Double, matrix: Matrix3) {
    self.weights = weights
    self.largest = largest
    self.smallest = smallest
    self.matrix = matrix
  }

  /// Returns the mix of one pixel's linear components, in the same unit.
  public func value(_ rgb: SIMD3<Double>) -> Double {
    let other = matrix * rgb
    return (weights * rgb).sum() + largest * other.max() + smallest * other.min()
  }
}

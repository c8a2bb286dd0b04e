/// A curve per component, sampled at equal steps of 0...1: a 1D LUT.
public struct CurveTable: Sendable {
  /// Values at 0, 1 / (count - 1), ... 1; at least two.
  public let values: [SIMD3<Double>]

  /// Samples a function of one signal.
  /// - Parameters:
  ///   - size: Number of values, at least 2.
  ///   - value: The three components' values at a signal of 0...1.
  public init(size: Int, value: (Double) -> SIMD3<Double>) {
    precondition(size >= 2)
    values = (0..<size).map { value(Double($0) / Double(size - 1)) }
  }

  /// Interpolates linearly.
  /// - Parameter signal: Limited to 0...1.
  public func value(at signal: SIMD3<Double>) -> SIMD3<Double> {
    var result = SIMD3<Double>()
    for component in 0..<3 {
      let (index, fraction) = signal[component].cell(steps: values.count - 1)
      let (below, above) = (values[index][component], values[index + 1][component])
      result[component] = below + fraction * (above - below)
    }
    return result
  }
}

extension Double {
  /// Returns the position of a signal among the nodes of a table.
  /// - Parameter steps: Number of nodes minus 1, at least 1.
  /// - Returns: The node at or below it, never the last, and the fractional position towards the next, 0...1. The
  ///   signal is limited to 0...1; NaN is treated as 0.
  func cell(steps: Int) -> (index: Int, fraction: Double) {
    let position = (self > 0 ? Swift.min(self, 1) : 0) * Double(steps)
    let index = Swift.min(Int(position), steps - 1)
    return (index, position - Double(index))
  }
}

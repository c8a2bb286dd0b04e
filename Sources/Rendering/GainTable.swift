/// A function of one positive variable, tabulated at every value that the variable is rounded to: all curves have the
/// same cost, and none is approximated.
public struct GainTable: Sendable {
  /// Number of entries: bit patterns of half floats starting at zero, or steps of the unit range.
  private static let count = 1 << 15

  package let table: FloatTable

  private init(_ values: [Float]) { table = FloatTable(values) }

  /// Tabulates a function at every half float; infinity is treated as the largest value, and anything not above zero as
  /// half the smallest.
  /// - Parameters:
  ///   - scale: Factor applied to arguments before rounding, to avoid subnormal halves.
  ///   - function: Finite above zero.
  public static func overHalves(scale: Double = 1, _ function: (Double) -> Double) -> GainTable {
    GainTable(
      (0..<count).map { bits in
        let half = Double(Float16(bitPattern: UInt16(bits)))
        let argument = half == 0 ? Double(Float16.leastNonzeroMagnitude) / 2 : half
        return Float(function((argument.isFinite ? argument : Double(Float16.greatestFiniteMagnitude)) / scale))
      })
  }

  /// Tabulates a function of luminance for `ColorTransform`, whose kernels round luminance times `luminanceScale`.
  public static func overLuminance(_ function: (Double) -> Double) -> GainTable {
    overHalves(scale: ColorTransform.luminanceScale, function)
  }

  /// Tabulates a function at 32,768 steps of 0...1; zero is treated as half a step.
  public static func overUnit(_ function: (Double) -> Double) -> GainTable {
    let top = Double(count - 1)
    return GainTable((0..<count).map { Float(function(max(Double($0), 0.5) / top)) })
  }

  /// Returns the function times `factor`.
  package func scaled(by factor: Double) -> GainTable {
    GainTable((0..<table.count).map { table[$0] * Float(factor) })
  }
}

/// Finds parameters that minimize the sum of squared residuals near a starting point.
///
/// Source: Marquardt (1963), "An Algorithm for Least-Squares Estimation of Nonlinear Parameters".
struct LevenbergMarquardt {
  /// Residuals for given parameters; their number is constant.
  let residuals: (_ parameters: [Double]) -> [Double]

  private static let maximumSteps = 60

  /// Returns the parameters and their sum of squares.
  func minimum(from start: [Double]) -> (parameters: [Double], sum: Double) {
    var (parameters, values) = (start, residuals(start))
    var (sum, damping) = (Self.squares(values), 1e-3)
    for _ in 0..<Self.maximumSteps {
      let equations = linearized(parameters, values)
      var improvement = 0.0
      while damping < 1e8, improvement == 0 {
        guard let step = equations.solution(damping: damping) else {
          damping *= 10
          continue
        }
        let moved = zip(parameters, step).map { $0 + $1 }
        let newValues = residuals(moved)
        let newSum = Self.squares(newValues)
        if newSum < sum {
          improvement = sum - newSum
          (parameters, values, sum, damping) = (moved, newValues, newSum, damping / 10)
        } else {
          damping *= 10
        }
      }
      if improvement <= 1e-10 * sum { break }
    }
    return (parameters, sum)
  }

  /// Returns the equations of a step, with numerical derivatives.
  private func linearized(_ parameters: [Double], _ values: [Double]) -> NormalEquations {
    let slopes = parameters.indices.map { index in
      var moved = parameters
      let step = 1e-6 * max(parameters[index].magnitude, 1e-2)
      moved[index] += step
      return zip(residuals(moved), values).map { ($0 - $1) / step }
    }
    var equations = NormalEquations(count: parameters.count)
    for (row, value) in values.enumerated() { equations.add(slopes.map { $0[row] }, -value) }
    return equations
  }

  private static func squares(_ values: [Double]) -> Double {
    let sum = values.reduce(0) { $0 + $1 * $1 }
    return sum.isFinite ? sum : .infinity
  }
}

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

/// Linear least squares for a few unknowns.
struct NormalEquations {
  private let count: Int
  private var matrix: [[Double]]
  private var right: [Double]

  /// Creates an empty system of `count` unknowns.
  init(count: Int) {
    self.count = count
    matrix = Array(repeating: Array(repeating: 0, count: count), count: count)
    right = Array(repeating: 0, count: count)
  }

  /// Adds an equation: the products of factors and unknowns sum to `value`.
  mutating func add(_ factors: [Double], _ value: Double, weight: Double = 1) {
    for i in 0..<count where factors[i] != 0 {
      let weighted = weight * factors[i]
      right[i] += weighted * value
      for j in 0..<count { matrix[i][j] += weighted * factors[j] }
    }
  }

  /// Solves for the unknowns by Gaussian elimination with partial pivoting; nil if the equations are singular.
  /// - Parameter damping: Added to the diagonal, as a fraction of it (Marquardt).
  func solution(damping: Double = 0) -> [Double]? {
    var (m, b) = (matrix, right)
    for i in 0..<count { m[i][i] *= 1 + damping }
    let scale = (0..<count).map { m[$0][$0].magnitude }.max() ?? 0
    for i in 0..<count {
      let pivot = (i..<count).max { m[$0][i].magnitude < m[$1][i].magnitude } ?? i
      guard m[pivot][i].magnitude > 1e-13 * scale else { return nil }
      m.swapAt(i, pivot)
      b.swapAt(i, pivot)
      for k in i + 1..<count {
        let factor = m[k][i] / m[i][i]
        guard factor != 0 else { continue }
        for j in i..<count { m[k][j] -= factor * m[i][j] }
        b[k] -= factor * b[i]
      }
    }
    for i in (0..<count).reversed() {
      for j in i + 1..<count { b[i] -= m[i][j] * b[j] }
      b[i] /= m[i][i]
    }
    return b.allSatisfy(\.isFinite) ? b : nil
  }
}

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

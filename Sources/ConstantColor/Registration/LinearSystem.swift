/// Small systems of linear equations.
enum LinearSystem {
  /// Solves positive definite equations, whose last column is the right-hand side; nil if they have no solution.
  static func solution(_ equations: [[Double]]) -> [Double]? {
    var rows = equations
    let count = rows.count
    for pivot in 0..<count {
      guard rows[pivot][pivot] > 0 else { return nil }
      for row in 0..<count where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    let result = (0..<count).map { rows[$0][count] / rows[$0][$0] }
    return result.allSatisfy(\.isFinite) ? result : nil
  }
}

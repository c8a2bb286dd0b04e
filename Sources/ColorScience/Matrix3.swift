/// A 3×3 matrix of `Double`, stored by rows.
public struct Matrix3: Sendable, Hashable {
  /// The top row: its product with a vector is the first component of the result.
  public var row0: SIMD3<Double>
  /// The middle row.
  public var row1: SIMD3<Double>
  /// The bottom row.
  public var row2: SIMD3<Double>

  /// A matrix from its rows, top to bottom.
  public init(_ row0: SIMD3<Double>, _ row1: SIMD3<Double>, _ row2: SIMD3<Double>) {
    self.row0 = row0
    self.row1 = row1
    self.row2 = row2
  }

  /// The identity matrix.
  public static let identity = Matrix3(diagonal: SIMD3(repeating: 1))

  /// A diagonal matrix.
  public init(diagonal: SIMD3<Double>) {
    self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z))
  }

  /// The rows from top to bottom.
  public var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) { (row0, row1, row2) }

  /// The element in `row` and `column`, both 0...2.
  public subscript(row: Int, column: Int) -> Double {
    switch row {
    case 0: row0[column]
    case 1: row1[column]
    default: row2[column]
    }
  }

  /// The transposed matrix.
  public var transposed: Matrix3 {
    Matrix3(
      SIMD3(row0.x, row1.x, row2.x), SIMD3(row0.y, row1.y, row2.y), SIMD3(row0.z, row1.z, row2.z))
  }

  /// The inverse by cofactors; not finite if the matrix is singular.
  public var inverse: Matrix3 {
    let cofactors = Matrix3(cross(row1, row2), cross(row2, row0), cross(row0, row1))
    let scale = 1 / (row0 * cofactors.row0).sum()
    return Matrix3(cofactors.row0 * scale, cofactors.row1 * scale, cofactors.row2 * scale).transposed
  }

  /// The matrix applied to a column vector.
  public static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((matrix.row0 * vector).sum(), (matrix.row1 * vector).sum(), (matrix.row2 * vector).sum())
  }

  /// The matrix product, which applies `right` first.
  public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    let columns = right.transposed
    return Matrix3(columns * left.row0, columns * left.row1, columns * left.row2)
  }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

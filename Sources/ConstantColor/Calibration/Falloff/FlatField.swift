/// The light of a flash over the frame, as an interpolated coarse grid of gains.
public struct FlatField: Sendable, Hashable {
  /// Columns of the grid, at least 2; the first and last lie on the frame edges.
  public let columns: Int
  /// Rows of the grid, at least 2.
  public let rows: Int
  /// Relative light, row by row; the centre of the frame is 1.
  public let light: [Double]

  /// Valid range of relative light.
  public static let possibleLight = 0.02...50.0
  /// Valid number of columns or rows.
  public static let possibleCounts = 2...256

  /// Creates a grid of `columns` times `rows` values.
  public init(columns: Int, rows: Int, light: [Double]) {
    precondition(columns >= 2 && rows >= 2 && light.count == columns * rows)
    self.columns = columns
    self.rows = rows
    self.light = light
  }

  /// Samples a function of the position in the frame (both coordinates from 0 to 1) on a grid, divided by its value at
  /// the centre.
  init(columns: Int, rows: Int, _ function: (_ x: Double, _ y: Double) -> Double) {
    let center = function(0.5, 0.5)
    let places = (0..<columns * rows).map { index in
      (Double(index % columns) / Double(columns - 1), Double(index / columns) / Double(rows - 1))
    }
    self.init(columns: columns, rows: rows, light: places.map { function($0.0, $0.1) / center })
  }

  /// Returns the relative light at a position in the frame, both coordinates from 0 to 1.
  ///
  /// The interpolation passes through the grid values and is smooth.
  /// Source: Keys (1981), "Cubic convolution interpolation for digital image processing", a = -1/2, with edges of equal
  /// slope.
  public func light(x: Double, y: Double) -> Double {
    let (column, across) = Self.cell(x, count: columns)
    let (row, down) = Self.cell(y, count: rows)
    let (horizontal, vertical) = (Self.weights(across), Self.weights(down))
    var sum = 0.0
    for j in 0..<4 {
      var line = 0.0
      for i in 0..<4 { line += horizontal[i] * value(column + i - 1, row + j - 1) }
      sum += vertical[j] * line
    }
    // The limits only act on grids that no real light produces.
    let upper = min(value(column, row), value(column + 1, row))
    return max(sum, min(upper, value(column, row + 1), value(column + 1, row + 1)) / 2)
  }

  /// Returns the grid value, extrapolated linearly by one column and row at each edge.
  private func value(_ column: Int, _ row: Int) -> Double {
    if column < 0 { return 2 * value(0, row) - value(1, row) }
    if column >= columns { return 2 * value(columns - 1, row) - value(columns - 2, row) }
    if row < 0 { return 2 * value(column, 0) - value(column, 1) }
    if row >= rows { return 2 * value(column, rows - 1) - value(column, rows - 2) }
    return light[row * columns + column]
  }

  /// Returns the grid cell of a coordinate from 0 to 1, and the position within it.
  private static func cell(_ coordinate: Double, count: Int) -> (Int, Double) {
    let place = (coordinate > 0 ? min(coordinate, 1) : 0) * Double(count - 1)
    let index = min(Int(place), count - 2)
    return (index, place - Double(index))
  }

  private static func weights(_ t: Double) -> SIMD4<Double> {
    let (t2, t3) = (t * t, t * t * t)
    return SIMD4(-t3 + 2 * t2 - t, 3 * t3 - 5 * t2 + 2, -3 * t3 + 4 * t2 + t, t3 - t2) / 2
  }
}

/// The light of a flash over the frame, as a coarse grid of gains that is interpolated.
public struct FlatField: Sendable, Hashable {
  /// Columns of the grid, at least 2; the first and the last lie on the edges of the frame.
  public let columns: Int
  /// Rows of the grid, at least 2.
  public let rows: Int
  /// Relative light, row by row; the centre of the frame is 1.
  public let light: [Double]

  /// Relative light that a flat field may have.
  public static let possibleLight = 0.02...50.0
  /// Columns or rows that a flat field may have.
  public static let possibleCounts = 2...256

  /// A grid of `columns` times `rows` values.
  public init(columns: Int, rows: Int, light: [Double]) {
    precondition(columns >= 2 && rows >= 2 && light.count == columns * rows)
    self.columns = columns
    self.rows = rows
    self.light = light
  }

  /// A grid of the values of a function of the place in the frame, both coordinates from 0 to 1, divided by that of the
  /// centre.
  init(columns: Int, rows: Int, _ function: (_ x: Double, _ y: Double) -> Double) {
    let center = function(0.5, 0.5)
    let places = (0..<columns * rows).map { index in
      (Double(index % columns) / Double(columns - 1), Double(index / columns) / Double(rows - 1))
    }
    self.init(columns: columns, rows: rows, light: places.map { function($0.0, $0.1) / center })
  }

  /// The relative light at a place of the frame, both coordinates from 0 to 1.
  ///
  /// It passes through the values of the grid, and has no creases.
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
    // Only grids that no light makes swing so far.
    let upper = min(value(column, row), value(column + 1, row))
    return max(sum, min(upper, value(column, row + 1), value(column + 1, row + 1)) / 2)
  }

  /// The grid, continued linearly by one column and row at each edge.
  private func value(_ column: Int, _ row: Int) -> Double {
    if column < 0 { return 2 * value(0, row) - value(1, row) }
    if column >= columns { return 2 * value(columns - 1, row) - value(columns - 2, row) }
    if row < 0 { return 2 * value(column, 0) - value(column, 1) }
    if row >= rows { return 2 * value(column, rows - 1) - value(column, rows - 2) }
    return light[row * columns + column]
  }

  /// The cell of the grid that a coordinate from 0 to 1 is in, and the place in it.
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

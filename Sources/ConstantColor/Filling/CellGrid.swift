internal import Frames

/// Sums over cells of several blocks, for slowly varying quantities.
struct CellGrid: Sendable {
  /// Side of a cell in blocks.
  static let side = 4

  let columns: Int
  let rows: Int
  /// One vector per cell, row by row.
  var values: [SIMD8<Double>]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    values = Array(repeating: .zero, count: columns * rows)
  }

  /// Averages a vector over the blocks of each cell.
  /// - Parameters:
  ///   - size: Columns and rows of blocks.
  ///   - value: Returns the vector of a block by index.
  init(meanOver size: Size, _ value: (_ index: Int) -> SIMD8<Double>) {
    self.init(
      columns: (size.width + Self.side - 1) / Self.side, rows: (size.height + Self.side - 1) / Self.side)
    var counts = [Double](repeating: 0, count: values.count)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let cell = y / Self.side * columns + x / Self.side
        values[cell] += value(y * size.width + x)
        counts[cell] += 1
      }
    }
    for cell in values.indices { values[cell] /= counts[cell] }
  }

  subscript(x: Int, y: Int) -> SIMD8<Double> {
    get { values[y * columns + x] }
    set { values[y * columns + x] = newValue }
  }

  /// Fills low-weight cells from their surroundings, nearest first.
  ///
  /// The last element of a vector is its weight, 0...1; the others are weighted sums.
  /// - Returns: Weighted means; zero if all weights are zero.
  /// Source: Gortler et al. (1996), "The Lumigraph", 3.2 (pull and push).
  func filled() -> CellGrid {
    var result = self
    if columns == 1 && rows == 1 {
      for cell in values.indices where values[cell][7] > 0 { result.values[cell] = values[cell] / values[cell][7] }
      return result
    }
    let above = reduced().filled()
    for y in 0..<rows {
      for x in 0..<columns {
        let surroundings = above.interpolated(x: (Double(x) + 0.5) / 2 - 0.5, y: (Double(y) + 0.5) / 2 - 0.5)
        let own = self[x, y]
        // A cell with a confidence of a few hundredths counts as much as its entire surroundings.
        let trust = 0.03
        let sum = own + trust * surroundings
        let weight = own[7] + (surroundings[7] > 0 ? trust : 0)
        result[x, y] = weight > 0 ? sum / weight : .zero
        result[x, y][7] = weight > 0 ? 1 : 0
      }
    }
    return result
  }

  /// Averages each cell with its neighbours, with weights 1, 2, 1 in both directions.
  func smoothed() -> CellGrid {
    var (across, result) = (self, self)
    for y in 0..<rows {
      for x in 0..<columns {
        across[x, y] = (self[max(x - 1, 0), y] + 2 * self[x, y] + self[min(x + 1, columns - 1), y]) / 4
      }
    }
    for y in 0..<rows {
      for x in 0..<columns {
        result[x, y] = (across[x, max(y - 1, 0)] + 2 * across[x, y] + across[x, min(y + 1, rows - 1)]) / 4
      }
    }
    return result
  }

  /// Returns means over two by two cells.
  private func reduced() -> CellGrid {
    var result = CellGrid(columns: (columns + 1) / 2, rows: (rows + 1) / 2)
    for y in 0..<result.rows {
      for x in 0..<result.columns {
        let (left, top) = (2 * x, 2 * y)
        let (right, bottom) = (min(left + 1, columns - 1), min(top + 1, rows - 1))
        result[x, y] = (self[left, top] + self[right, top] + self[left, bottom] + self[right, bottom]) / 4
      }
    }
    return result
  }

  /// Returns the value at a position between cell centres.
  func interpolated(x: Double, y: Double) -> SIMD8<Double> {
    let (x, y) = (min(max(x, 0), Double(columns - 1)), min(max(y, 0), Double(rows - 1)))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, columns - 1), min(top + 1, rows - 1))
    let (across, down) = (x - Double(left), y - Double(top))
    let upper = self[left, top] + across * (self[right, top] - self[left, top])
    let lower = self[left, bottom] + across * (self[right, bottom] - self[left, bottom])
    return upper + down * (lower - upper)
  }
}

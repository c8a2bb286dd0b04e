internal import Frames

/// Sums over cells of several blocks, for what varies slowly over a picture.
struct CellGrid: Sendable {
  /// Side of a cell in blocks.
  static let side = 4

  let columns: Int
  let rows: Int
  /// A vector for each cell, row by row.
  var values: [SIMD8<Double>]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    values = Array(repeating: .zero, count: columns * rows)
  }

  /// Means over the blocks of each cell.
  /// - Parameters:
  ///   - size: Columns and rows of blocks.
  ///   - value: The vector of a block by its index.
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

  /// Fills cells of little weight from their surroundings, the nearer ones first.
  ///
  /// The last element of a vector is its weight, 0...1; the others are weighted sums.
  /// - Returns: Weighted means; zero if no cell has a weight.
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
        // A cell that is believed for a few hundredths counts as much as all around it.
        let trust = 0.03
        let sum = own + trust * surroundings
        let weight = own[7] + (surroundings[7] > 0 ? trust : 0)
        result[x, y] = weight > 0 ? sum / weight : .zero
        result[x, y][7] = weight > 0 ? 1 : 0
      }
    }
    return result
  }

  /// Each cell averaged with its neighbours, with weights 1, 2, 1 in both directions.
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

  /// Means over two by two cells.
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

  /// A value between the centres of cells.
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

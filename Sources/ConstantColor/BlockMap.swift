package import Frames
internal import Rendering

/// One value per square of `BlockMap.side` pixels; blocks at the right and bottom edges may be smaller.
package struct BlockMap: Sendable {
  /// Side length of a block in pixels.
  package static let side = 4
  /// Columns and rows of blocks.
  package let size: Size
  /// The values, row by row.
  package var values: [Float]

  /// Creates a map for a picture of `picture` pixels, with one value everywhere.
  package init(covering picture: Size, repeating value: Float = 0) {
    size = Size(
      width: (picture.width + Self.side - 1) / Self.side, height: (picture.height + Self.side - 1) / Self.side)
    values = Array(repeating: value, count: size.width * size.height)
  }

  /// Takes the values of a plane with a pixel per block.
  init(_ plane: Plane) { (size, values) = (plane.size, plane.values) }

  /// The value of the block at column `x` and row `y` of blocks.
  package subscript(x: Int, y: Int) -> Float {
    get { values[y * size.width + x] }
    set { values[y * size.width + x] = newValue }
  }

  /// Each value averaged with its neighbours, with weights 1, 2, 1 in both directions.
  func smoothed() -> BlockMap { filtered { ($0 + 2 * $1 + $2) / 4 } }

  /// The largest of each value and its neighbours.
  func dilated() -> BlockMap { filtered { max($0, $1, $2) } }

  /// Combines each value with its neighbours, in rows and then in columns.
  private func filtered(_ value: (_ before: Float, _ own: Float, _ after: Float) -> Float) -> BlockMap {
    var (rows, result) = (self, self)
    let (width, height) = (size.width, size.height)
    for y in 0..<height {
      for x in 0..<width {
        rows[x, y] = value(self[max(x - 1, 0), y], self[x, y], self[min(x + 1, width - 1), y])
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        result[x, y] = value(rows[x, max(y - 1, 0)], rows[x, y], rows[x, min(y + 1, height - 1)])
      }
    }
    return result
  }

  /// Lowers confidence in low-confidence surroundings, where a single trusted block is a coincidence.
  func withoutSpecks() -> BlockMap {
    let reach = 3
    var result = self
    // Sums over all blocks above and to the left.
    let stride = size.width + 1
    var sums = [Double](repeating: 0, count: stride * (size.height + 1))
    for y in 0..<size.height {
      var row = 0.0
      for x in 0..<size.width {
        row += Double(self[x, y])
        sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row
      }
    }
    for y in 0..<size.height {
      let (top, bottom) = (max(y - reach, 0), min(y + reach + 1, size.height))
      for x in 0..<size.width {
        let (left, right) = (max(x - reach, 0), min(x + reach + 1, size.width))
        let sum =
          sums[bottom * stride + right] - sums[top * stride + right] - sums[bottom * stride + left]
          + sums[top * stride + left]
        let mean = sum / Double((bottom - top) * (right - left))
        result[x, y] *= Float(smoothstep(mean, from: 0.15, to: 0.4))
      }
    }
    return result
  }

  /// Values of one row of pixels, interpolated between the centres of blocks.
  @unsafe
  func interpolate(row y: Int, into pixels: UnsafeMutableBufferPointer<Float>) {
    let place = min(max((Float(y) + 0.5) / Float(Self.side) - 0.5, 0), Float(size.height - 1))
    let (upper, below) = (Int(place) * size.width, place - place.rounded(.down))
    let lower = min(Int(place) + 1, size.height - 1) * size.width
    func value(_ x: Int) -> Float {
      let x = min(max(x, 0), size.width - 1)
      return values[upper + x] + below * (values[lower + x] - values[upper + x])
    }
    // Two centres are one block width apart in pixels; the first pixel is half a pixel right of the left centre.
    let half = Self.side / 2
    var left = value(-1)
    for block in 0...size.width {
      let right = value(block)
      let start = block * Self.side - half
      let step = (right - left) / Float(Self.side)
      for x in max(start, 0)..<max(min(start + Self.side, pixels.count), max(start, 0)) {
        unsafe pixels[x] = left + step * (Float(x - start) + 0.5)
      }
      left = right
    }
  }

  /// Maps motion per block from evidence at the working size: 1, something moved; -1, nothing moved.
  /// - Parameters:
  ///   - evidence: One value per pixel at the working size.
  ///   - scale: Pixels of the picture per pixel of the evidence.
  init(mismatchFrom evidence: Plane, scale: Int, of picture: Size) {
    self.init(covering: picture)
    var agreement = [Float](repeating: 0, count: values.count)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = (x * Self.side / scale, y * Self.side / scale)
        let end = ((x + 1) * Self.side - 1, (y + 1) * Self.side - 1)
        for line in place.1...max(place.1, end.1 / scale) {
          let row = unsafe evidence.clampedRow(line)
          for column in place.0...max(place.0, end.0 / scale) {
            let value = unsafe row[min(column, row.count - 1)]
            self[x, y] = max(self[x, y], value)
            if value < 0 { agreement[y * size.width + x] = 1 }
          }
        }
      }
    }
    removeSpecks()
    fillHoles(agreement)
  }

  /// Removes isolated blocks, which are coincidences.
  private mutating func removeSpecks() {
    let original = self
    for y in 0..<size.height {
      for x in 0..<size.width where original[x, y] > 0 {
        var sum: Float = 0
        for line in max(0, y - 1)...min(size.height - 1, y + 1) {
          for column in max(0, x - 1)...min(size.width - 1, x + 1) { sum += original[column, line] }
        }
        self[x, y] = min(original[x, y], max(0, (sum - 1) / 2))
      }
    }
  }

  /// A uniform object that moved shows only at its outline, so enclosed blocks count as moved, unless they are known to
  /// agree.
  private mutating func fillHoles(_ agreement: [Float]) {
    var isSeen = values.map { $0 >= 0.5 }
    for start in values.indices where !isSeen[start] {
      let region = region(from: start, &isSeen)
      guard !region.touchesEdge, region.blocks.count < values.count / 8 else { continue }
      let agreeing = region.blocks.reduce(Float(0)) { $0 + agreement[$1] }
      guard agreeing < 0.3 * Float(region.blocks.count) else { continue }
      for block in region.blocks { values[block] = 1 }
    }
  }

  /// Returns the blocks that are 4-connected with one.
  private func region(from start: Int, _ isSeen: inout [Bool]) -> (blocks: [Int], touchesEdge: Bool) {
    var (blocks, next, touchesEdge) = ([start], 0, false)
    isSeen[start] = true
    while next < blocks.count {
      let block = blocks[next]
      next += 1
      let (x, y) = (block % size.width, block / size.width)
      if x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1 { touchesEdge = true }
      for (column, line) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
      where 0..<size.width ~= column && 0..<size.height ~= line && !isSeen[line * size.width + column] {
        isSeen[line * size.width + column] = true
        blocks.append(line * size.width + column)
      }
    }
    return (blocks, touchesEdge)
  }
}

extension [BlockMap] {
  /// Returns R, G and B of the block at an index; the first three maps hold them.
  func color(at index: Int) -> SIMD3<Double> {
    SIMD3(Double(self[0].values[index]), Double(self[1].values[index]), Double(self[2].values[index]))
  }
}

internal import Frames

extension [BlockMap] {
  /// Returns R, G and B of the block at an index; the first three maps hold them.
  func color(at index: Int) -> SIMD3<Double> {
    SIMD3(Double(self[0].values[index]), Double(self[1].values[index]), Double(self[2].values[index]))
  }
}

extension BlockMap {
  /// Each value averaged with its neighbours, with weights 1, 2, 1 in both directions.
  func smoothed() -> BlockMap {
    var (rows, result) = (self, self)
    let (width, height) = (size.width, size.height)
    for y in 0..<height {
      for x in 0..<width {
        rows[x, y] = (self[max(x - 1, 0), y] + 2 * self[x, y] + self[min(x + 1, width - 1), y]) / 4
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        result[x, y] = (rows[x, max(y - 1, 0)] + 2 * rows[x, y] + rows[x, min(y + 1, height - 1)]) / 4
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

  /// The largest of each value and its neighbours.
  func dilated() -> BlockMap {
    var (rows, result) = (self, self)
    let (width, height) = (size.width, size.height)
    for y in 0..<height {
      for x in 0..<width {
        rows[x, y] = max(self[max(x - 1, 0), y], self[x, y], self[min(x + 1, width - 1), y])
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        result[x, y] = max(rows[x, max(y - 1, 0)], rows[x, y], rows[x, min(y + 1, height - 1)])
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
}

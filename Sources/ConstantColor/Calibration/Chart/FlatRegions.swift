/// The connected regions of a mask.
struct FlatRegions {
  /// Moments of a connected region.
  struct Region {
    var count = 0
    var sum = SIMD2<Double>.zero
    var squares = SIMD2<Double>.zero
    var product = 0.0

    mutating func add(_ x: Int, _ y: Int) {
      let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
      count += 1
      sum += place
      squares += place * place
      product += place.x * place.y
    }

    var center: SIMD2<Double> { sum / Double(count) }

    /// Whether the region is solid and about as wide as high. A solid parallelogram has the moments of its area.
    var isSquare: Bool {
      let (n, middle) = (Double(count), center)
      let variance = squares / n - middle * middle
      let covariance = product / n - middle.x * middle.y
      let determinant = variance.x * variance.y - covariance * covariance
      guard determinant > 0 else { return false }
      let fullness = 12 * determinant.squareRoot() / n
      let half = (variance.x + variance.y) / 2
      let swing = max(half * half - determinant, 0).squareRoot()
      // Twice as long as wide: four times the variance.
      return (0.9...1.2).contains(fullness) && half + swing < 4 * (half - swing)
    }
  }

  private var mask: [Bool]
  private let width: Int

  /// - Parameters:
  ///   - mask: Row by row; the outermost pixels are false.
  ///   - width: Columns.
  init(_ mask: [Bool], width: Int) {
    self.mask = mask
    self.width = width
  }

  /// Returns all regions of 4-connected pixels; consumes the mask.
  mutating func all() -> [Region] {
    var (result, waiting): ([Region], [Int]) = ([], [])
    for start in mask.indices where mask[start] {
      var region = Region()
      mask[start] = false
      waiting.append(start)
      while let index = waiting.popLast() {
        region.add(index % width, index / width)
        for next in [index - 1, index + 1, index - width, index + width] where mask[next] {
          mask[next] = false
          waiting.append(next)
        }
      }
      result.append(region)
    }
    return result
  }
}

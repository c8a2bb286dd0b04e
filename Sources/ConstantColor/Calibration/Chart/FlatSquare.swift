internal import Frames

/// A connected region of uniform colour, as compact as a square.
struct FlatSquare {
  /// Centroid, in pixels of the reduced picture.
  let center: SIMD2<Double>
  /// Area in pixels.
  let area: Double

  /// Approximate side length: that of a square of equal area.
  var side: Double { area.squareRoot() }

  /// Tone steps between neighbouring pixels that count as uniform: noise needs larger ones, faint edges smaller ones.
  private static let tolerances: [Float] = [0.02, 0.04, 0.08]
  /// Maximum number of squares; the largest are kept.
  private static let maximumCount = 400
  private static let minimumArea = 40

  /// Returns the squares in a picture, largest first.
  static func all(in picture: ReducedPicture) -> [FlatSquare] {
    let steps = steps(in: picture)
    var result: [FlatSquare] = []
    for tolerance in tolerances {
      var regions = FlatRegions(mask: steps.map { $0 <= tolerance }, width: picture.size.width)
      let limits = minimumArea...max(minimumArea, steps.count / 16)
      let found = regions.all().filter { limits.contains($0.count) && $0.isSquare }.map {
        FlatSquare(center: $0.center, area: Double($0.count))
      }
      for square in found.sorted(by: { $0.area > $1.area }).prefix(maximumCount) {
        let isKnown = result.contains { known in
          let step = known.center - square.center
          return (step * step).sum() < 0.1 * max(known.area, square.area)
        }
        if !isKnown { result.append(square) }
      }
    }
    return Array(result.sorted { $0.area > $1.area }.prefix(maximumCount))
  }

  /// Returns the largest tone difference between each pixel and its neighbours.
  private static func steps(in picture: ReducedPicture) -> [Float] {
    let (width, height) = (picture.size.width, picture.size.height)
    var result = Array(repeating: Float.infinity, count: width * height)
    guard width > 2, height > 2 else { return result }
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let index = y * width + x
        let across = picture.tones[index + 1] - picture.tones[index - 1]
        let down = picture.tones[index + width] - picture.tones[index - width]
        result[index] = max((across * across).max(), (down * down).max()).squareRoot()
      }
    }
    return result
  }
}

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

  /// Row by row; the outermost pixels are false.
  var mask: [Bool]
  let width: Int

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

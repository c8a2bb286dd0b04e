internal import Frames
internal import Rendering

/// Refines an affine map to align two pictures: Gauss-Newton with robust weights.
///
/// The gradient is taken from the flash picture, which has less noise.
///
/// Source: Baker and Matthews (2004), "Lucas-Kanade 20 years on: a unifying framework", the compositional algorithm.
struct AffineRefinement {
  let flash: Plane
  let ambient: Plane
  /// Pixels of the picture per pixel of the planes.
  let scale: Double
  /// Size of the full picture.
  let size: Size
  let pool: WorkerPool

  /// Differences far above this are outliers: changed light, or moving objects.
  private static var tolerance: Float { 0.6 }
  /// Maximum movement of a corner, as a fraction of the diagonal; beyond it, registration failed.
  private static let farthest = 0.12

  init(_ flash: LocalContrast, _ ambient: LocalContrast, of size: Size, pool: WorkerPool) {
    (self.flash, self.ambient, self.scale) = (flash.plane, ambient.plane, flash.scale)
    (self.size, self.pool) = (size, pool)
  }

  private var radius: Double {
    let (width, height) = (Double(size.width), Double(size.height))
    return (width * width + height * height).squareRoot() / 2
  }

  /// Returns the map after at most `steps` steps.
  func callAsFunction(_ start: AffineMap, steps: Int) -> AffineMap {
    var (map, strength) = (start, Float(1))
    for _ in 0..<steps {
      let warped = warped(by: map)
      let bands = pool.results(of: flash.size.height) { [self, strength] rows in totals(rows, warped, strength) }
      let sums = bands.reduce(AffineTotals(), +)
      guard let step = sums.step else { return start }
      strength = sums.strength
      let next = map.after(step.map { $0 * scale }, radius: radius)
      // Noise can drive the map anywhere.
      guard next.distance(to: .identity, over: size) < Self.farthest * 2 * radius else { return start }
      let change = next.distance(to: map, over: size)
      map = next
      if change < 0.004 * scale { break }
    }
    return map
  }

  /// Returns the ambient picture, resampled to the flash picture's pixels.
  func warped(by map: AffineMap) -> Plane {
    ambient.resampled(PixelMap(camera: map), scale: scale, of: size, pool: pool)
  }

  /// Returns sums over rows; the ambient picture shows `strength` of the contrast of the flash picture.
  private func totals(_ rows: Range<Int>, _ warped: Plane, _ strength: Float) -> AffineTotals {
    var totals = AffineTotals()
    let (width, height) = (flash.size.width, flash.size.height)
    let unit = scale / radius
    let left = Float(0.5 * unit - Double(size.width) / 2 / radius)
    for y in max(rows.lowerBound, 1)..<max(min(rows.upperBound, height - 1), max(rows.lowerBound, 1)) {
      let (a, b, c) = unsafe (flash.row(y - 1), flash.row(y), flash.row(y + 1))
      let e = unsafe warped.row(y)
      var sums = AffineTotals.Row()
      for x in 1..<max(1, width - 1) {
        let difference = unsafe e[x] - strength * b[x]
        let right = unsafe (0.5 * strength) * (b[x + 1] - b[x - 1])
        let down = unsafe (0.5 * strength) * (c[x] - a[x])
        // NaN: saturated or outside.
        let all = difference + right + down
        guard all == all else { continue }
        let ratio = difference * (1 / Self.tolerance)
        let weight = 1 / ((1 + ratio * ratio) * (1 + ratio * ratio))
        unsafe sums.add(
          right: right, down: down, u: left + Float(x) * Float(unit), difference: difference, weight: weight,
          flash: b[x], ambient: e[x])
      }
      totals.add(sums, v: (Double(y) + 0.5) * unit - Double(size.height) / 2 / radius)
    }
    return totals
  }
}

/// The normal equations of a small affine map, summed over pixels.
struct AffineTotals: Sendable {
  /// Sums of the gradient's products (xx, xy, yy), each times 1, u, v, u², uv, v².
  private var xx = SIMD8<Double>.zero, xy = SIMD8<Double>.zero, yy = SIMD8<Double>.zero
  /// Sums of the gradient times the difference, each times 1, u, v.
  private var right = SIMD4<Double>.zero, down = SIMD4<Double>.zero
  /// Sums of squares of the flash picture, and of products of both.
  private var flash = 0.0, both = 0.0

  /// Contrast of the ambient picture relative to the flash picture, 1 or less: noise weakens it.
  var strength: Float { flash > 0 ? Float(min(max(both / flash, 0.05), 1)) : 1 }

  /// Sums over the pixels of a row: the gradient's products, and the gradient times the difference, times 1, u, u².
  struct Row {
    private(set) var powers = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)

    /// Adds a pixel.
    @inline(__always)
    mutating func add(
      right: Float, down: Float, u: Float, difference: Float, weight: Float, flash: Float, ambient: Float
    ) {
      let products = SIMD8(
        right * right, right * down, down * down, right * difference, down * difference, flash * flash,
        flash * ambient, 0)
      let (weighted, moved) = (products * weight, products * (weight * u))
      powers.0 += weighted
      powers.1 += moved
      powers.2 += moved * u
    }
  }

  /// Adds a row.
  mutating func add(_ row: Row, v: Double) {
    let (constant, linear, square) = (
      SIMD8<Double>(row.powers.0), SIMD8<Double>(row.powers.1), SIMD8<Double>(row.powers.2)
    )
    func moments(_ index: Int) -> SIMD8<Double> {
      SIMD8(
        constant[index], linear[index], v * constant[index], square[index], v * linear[index],
        v * v * constant[index], 0, 0)
    }
    xx += moments(0)
    xy += moments(1)
    yy += moments(2)
    right += moments(3).lowHalf
    down += moments(4).lowHalf
    flash += constant[5]
    both += constant[6]
  }

  static func + (first: AffineTotals, second: AffineTotals) -> AffineTotals {
    var result = first
    result.xx += second.xx
    result.xy += second.xy
    result.yy += second.yy
    result.right += second.right
    result.down += second.down
    result.flash += second.flash
    result.both += second.both
    return result
  }

  /// The map in pixels that reduces the differences most; nil if the pictures do not determine it.
  var step: [Double]? {
    let (products, sides) = ([xx, xy, yy], [right, down])
    // Index of u^i v^j in the sums, for rows and columns of 1, u, v.
    let power = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]
    var equations = [[Double]](repeating: [Double](repeating: 0, count: 7), count: 6)
    for row in 0..<6 {
      for column in 0..<6 {
        equations[row][column] = products[row / 3 + column / 3][power[row % 3][column % 3]]
      }
      equations[row][6] = -sides[row / 3][row % 3]
    }
    let trace = (0..<6).reduce(0) { $0 + equations[$1][$1] }
    guard trace > 0, trace.isFinite else { return nil }
    for row in 0..<6 { equations[row][row] += 1e-4 * trace }
    return LinearSystem.solution(equations)
  }
}

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

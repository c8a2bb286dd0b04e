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

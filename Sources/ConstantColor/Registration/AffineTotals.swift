/// The normal equations of a small affine map: sums over pixels.
struct AffineTotals: Sendable {
  /// Sums of the gradient's products (xx, xy, yy), each times 1, u, v, u², uv, v².
  private var xx = SIMD8<Double>.zero, xy = SIMD8<Double>.zero, yy = SIMD8<Double>.zero
  /// Sums of the gradient times the difference, each times 1, u, v.
  private var right = SIMD4<Double>.zero, down = SIMD4<Double>.zero

  /// Adds a pixel.
  @inline(__always)
  mutating func add(_ gradient: SIMD2<Float>, u: Float, v: Float, difference: Float, weight: Float) {
    let place = SIMD8<Double>(SIMD8<Float>(1, u, v, u * u, u * v, v * v, 0, 0))
    let weighted = gradient * weight
    xx += place * Double(weighted.x * gradient.x)
    xy += place * Double(weighted.x * gradient.y)
    yy += place * Double(weighted.y * gradient.y)
    right += place.lowHalf * Double(weighted.x * difference)
    down += place.lowHalf * Double(weighted.y * difference)
  }

  static func + (first: AffineTotals, second: AffineTotals) -> AffineTotals {
    var result = first
    result.xx += second.xx
    result.xy += second.xy
    result.yy += second.yy
    result.right += second.right
    result.down += second.down
    return result
  }

  /// The map that lowers the differences most, in pixels; nil if the pictures do not determine it.
  var step: [Double]? {
    let (products, sides) = ([xx, xy, yy], [right, down])
    // The place of u^i v^j in the sums, for rows and columns of 1, u, v.
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

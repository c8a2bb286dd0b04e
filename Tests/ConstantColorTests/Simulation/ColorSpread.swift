/// L*, a*, b* of one surface in several pictures.
struct ColorSpread: Sendable {
  private(set) var colors: [SIMD3<Double>] = []

  mutating func add(_ color: SIMD3<Double>) { colors.append(color) }

  var mean: SIMD3<Double> { colors.reduce(SIMD3(), +) / Double(max(colors.count, 1)) }

  /// Variances of L*, a* and b*.
  var variances: SIMD3<Double> {
    let center = mean
    return colors.reduce(SIMD3()) { $0 + ($1 - center) * ($1 - center) } / Double(max(colors.count - 1, 1))
  }

  /// The sum of the three variances.
  var variance: Double { variances.sum() }
}

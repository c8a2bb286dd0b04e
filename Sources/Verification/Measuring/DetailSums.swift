/// Least-squares sums of measured samples against a shifted reference.
struct DetailSums {
  private var squares = 0.0
  private var products = 0.0
  private var total = 0.0
  /// Products of the derivatives by shift, right and down: with themselves, each other, the reference and the
  /// measurement.
  private var change = SIMD2<Double>.zero
  private var mixed = 0.0
  private var changeBase = SIMD2<Double>.zero
  private var changeMeasured = SIMD2<Double>.zero

  /// The shift along an axis is undetermined if the reference varies along it by less than this fraction of the other
  /// axis.
  private static let minimumChange = 0.02

  mutating func add(_ base: Double, measured: Double) {
    squares += base * base
    products += base * measured
    total += measured * measured
  }

  mutating func add(_ change: SIMD2<Double>, base: Double, measured: Double) {
    self.change += change * change
    mixed += change.x * change.y
    changeBase += base * change
    changeMeasured += measured * change
  }

  /// Remaining contrast; nil if there is nothing to compare.
  var contrast: Double? { squares > 0 && total > 0 ? products / squares : nil }

  /// Share of the variance that the reference explains.
  var likeness: Double {
    guard let contrast, contrast > 0 else { return 0 }
    return products * contrast / total
  }

  /// Correction of the shift, along the directions in which the reference varies.
  var step: SIMD2<Double> {
    guard let contrast, contrast > 0 else { return .zero }
    // Residuals of the measurement and of the derivatives, with the reference projected out.
    let right = (changeMeasured - contrast * changeBase) / contrast
    let xx = change.x - changeBase.x * changeBase.x / squares
    let yy = change.y - changeBase.y * changeBase.y / squares
    let xy = mixed - changeBase.x * changeBase.y / squares
    // Eigenvalues and eigenvectors of the symmetric matrix.
    let middle = (xx + yy) / 2
    let radius = ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
    guard middle + radius > 0 else { return .zero }
    var first = SIMD2(xy, middle + radius - xx)
    if first == .zero { first = xx >= yy ? SIMD2(1, 0) : SIMD2(0, 1) }
    first /= (first * first).sum().squareRoot()
    var step = first * ((first * right).sum() / (middle + radius))
    if middle - radius > Self.minimumChange * (middle + radius) {
      let second = SIMD2(-first.y, first.x)
      step += second * ((second * right).sum() / (middle - radius))
    }
    return step
  }
}

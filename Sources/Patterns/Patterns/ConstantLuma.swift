internal import ColorScience

/// Colours of constant luma: only chroma varies.
struct ConstantLuma: Sendable {
  let luma: Double
  private let matrix: YCbCrMatrix
  /// Maximum magnitude of Cb and Cr that keeps all components in 0...1.
  let reach: SIMD2<Double>

  /// - Parameters:
  ///   - luma: Y', 0...1.
  ///   - signal: The signal whose matrix defines luma.
  init(luma: Double, _ signal: PatternSignal) {
    self.luma = luma
    let matrix = YCbCrMatrix(signal.matrix) ?? .bt709
    self.matrix = matrix
    let room = min(luma, 1 - luma) * 0.95
    reach = SIMD2(min(room / (2 * (1 - matrix.kb)), 0.25), min(room / (2 * (1 - matrix.kr)), 0.25))
  }

  /// - Parameters: -1...1 each.
  func signal(blue: Double, red: Double) -> SIMD3<Double> {
    matrix.rgb(fromYCbCr: SIMD3(luma, blue * reach.x, red * reach.y))
  }

  /// Returns the signal with only Cb or Cr.
  func signal(_ value: Double, isBlue: Bool) -> SIMD3<Double> {
    isBlue ? signal(blue: value, red: 0) : signal(blue: 0, red: value)
  }
}

internal import ColorScience

/// The taps of `ChromaResampling.downsampling`: always three, the last possibly with zero weight.
struct ChromaTaps {
  /// Indices of the neighbours, clamped to the edges.
  let places: (Int, Int, Int)
  let weights: (Double, Double, Double)

  /// - Parameters:
  ///   - count: Samples at full resolution.
  init(chroma: Int, shift: Int, offset: Double, count: Int) {
    let taps = ChromaResampling.downsampling(chroma: chroma, shift: shift, offset: offset)
    func place(_ index: Int) -> Int { min(max(taps.first + min(index, taps.weights.count - 1), 0), count - 1) }
    func weight(_ index: Int) -> Double { index < taps.weights.count ? taps.weights[index] : 0 }
    places = (place(0), place(1), place(2))
    weights = (weight(0), weight(1), weight(2))
  }

  @inline(__always)
  func mix(_ first: SIMD2<Double>, _ second: SIMD2<Double>, _ third: SIMD2<Double>) -> SIMD2<Double> {
    weights.0 * first + weights.1 * second + weights.2 * third
  }
}

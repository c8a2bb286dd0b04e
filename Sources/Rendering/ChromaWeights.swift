internal import ColorScience

/// Bilinear up-sampling in quarters, which are exact for every siting of H.273.
package struct ChromaWeights: Sendable {
  /// Weights of the samples before, at and after a chroma column, for the first and second luma column of it.
  package let even: SIMD4<UInt16>
  package let odd: SIMD4<UInt16>

  /// - Parameter offset: Column of chroma sample 0 in luma samples: 0 or 0.5.
  package init(offset: Double) {
    even = Self.around(0, luma: 0, offset: offset)
    odd = Self.around(0, luma: 1, offset: offset)
  }

  private static func around(_ chroma: Int, luma: Int, offset: Double) -> SIMD4<UInt16> {
    let taps = ChromaResampling.upsampling(luma: luma, shift: 1, offset: offset)
    var weights = SIMD4<UInt16>()
    for (index, weight) in taps.weights.enumerated() where weight > 0 {
      weights[taps.first + index - chroma + 1] += UInt16(weight * 4)
    }
    return weights
  }

  /// The two chroma rows that luma row `y` lies between, and their weights in quarters.
  package static func rows(
    of y: Int, shift: Int, offset: Double, count: Int
  ) -> (above: Int, below: Int, weights: (UInt16, UInt16)) {
    guard shift == 1 else { return (y, y, (4, 0)) }
    let position = (Double(y) - offset) / 2
    let above = Int(position.rounded(.down))
    let fraction = UInt16((position - Double(above)) * 4)
    return (min(max(above, 0), count - 1), min(max(above + 1, 0), count - 1), (4 - fraction, fraction))
  }
}

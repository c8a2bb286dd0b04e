internal import ColorScience

/// The vertical half of bilinear up-sampling in quarters, which are exact for every siting of H.273.
package enum ChromaWeights {
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

internal import ColorScience

/// The vertical half of bilinear up-sampling.
package enum ChromaWeights {
  /// The two chroma rows that luma row `y` lies between, and their weights.
  /// - Parameter unit: Sum of the weights: quarters are exact for every siting of H.273 in a frame, eighths in a field.
  package static func rows(
    of y: Int, shift: Int, offset: Double, count: Int, unit: UInt16
  ) -> (above: Int, below: Int, weights: (UInt16, UInt16)) {
    guard shift == 1 else { return (y, y, (unit, 0)) }
    let position = (Double(y) - offset) / 2
    let above = Int(position.rounded(.down))
    let fraction = UInt16(((position - Double(above)) * Double(unit)).rounded())
    return (min(max(above, 0), count - 1), min(max(above + 1, 0), count - 1), (unit - fraction, fraction))
  }
}

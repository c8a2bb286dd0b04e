internal import ColorScience
package import Frames

/// The row buffers of one worker for unpacking a band.
package final class UnpackRows {
  /// Slots for coded chroma rows: a luma row needs two neighbours, mostly shared with the next row.
  private static let slots = 2

  package let luma: RowStorage<UInt16>
  /// All components of a row that share a plane, and its pairs of Cb and Cr.
  let packed: RowStorage<UInt16>
  /// Cb, Cr and interleaved pairs of each slot.
  package let coded: RowStorage<UInt16>
  /// Cb and Cr at luma positions.
  package let upsampled: RowStorage<UInt16>
  private var indices = [Int](repeating: -1, count: slots)

  /// - Parameters:
  ///   - width: Pixels in a row.
  ///   - layout: Layout of the frames.
  package init(width: Int, layout: PixelLayout) {
    luma = RowStorage(rows: 1, width: width + 1)
    let samples = layout.planeSize(0, of: Size(width: width, height: 1)).width
    packed = RowStorage(rows: layout.isPacked ? 2 : 0, width: samples)
    coded = RowStorage(rows: 3 * Self.slots, width: width + 1)
    upsampled = RowStorage(rows: 2, width: width + 32)
  }

  /// Discards the coded rows of the previous frame.
  package func forget() {
    for slot in indices.indices { indices[slot] = -1 }
  }

  /// Returns the slot for coded chroma row `index`, and whether it already holds the row.
  package func slot(of index: Int) -> (index: Int, isFilled: Bool) {
    let slot = index % Self.slots
    defer { indices[slot] = index }
    return (slot, indices[slot] == index)
  }
}

/// The vertical half of bilinear upsampling.
package enum ChromaWeights {
  /// Returns the two chroma rows around luma row `y`, and their weights.
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

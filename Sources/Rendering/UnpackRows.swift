internal import Frames

/// The rows that one worker needs to unpack a band.
package final class UnpackRows {
  /// Coded chroma rows are kept in this many slots: a luma row needs two neighbours, the next row mostly the same.
  private static let slots = 2

  package let luma: RowStorage<UInt16>
  /// Cb, Cr and interleaved pairs of each slot.
  package let coded: RowStorage<UInt16>
  /// Cb and Cr at luma positions.
  package let upsampled: RowStorage<UInt16>
  private var indices = [Int](repeating: -1, count: slots)

  package init(width: Int) {
    luma = RowStorage(rows: 1, width: width)
    coded = RowStorage(rows: 3 * Self.slots, width: width + 1)
    upsampled = RowStorage(rows: 2, width: width + 32)
  }

  /// Forgets the coded rows of the frame before.
  package func forget() {
    for slot in indices.indices { indices[slot] = -1 }
  }

  /// The slot for coded chroma row `index`, and whether the row is there already.
  package func slot(of index: Int) -> (index: Int, isFilled: Bool) {
    let slot = index % Self.slots
    defer { indices[slot] = index }
    return (slot, indices[slot] == index)
  }
}

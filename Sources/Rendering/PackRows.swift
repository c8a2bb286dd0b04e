/// The rows that one worker needs to pack a band.
package final class PackRows {
  /// Full-resolution chroma rows that are kept: a chroma row is made of three at most, and the next of two more.
  private static let ring = 4

  package let luma: RowStorage<Float>
  private let light: RowStorage<Float>
  package let averaged: RowStorage<Float>
  package let halved: RowStorage<Float>
  private let chroma: RowStorage<Float>

  package init(width: Int) {
    luma = RowStorage(rows: 1, width: width)
    light = RowStorage(rows: 3, width: width)
    averaged = RowStorage(rows: 1, width: width)
    halved = RowStorage(rows: 1, width: width)
    chroma = RowStorage(rows: 2 * Self.ring, width: width)
  }

  /// C'b of frame row `row`.
  @unsafe
  package func cb(_ row: Int) -> UnsafeMutablePointer<Float> { unsafe chroma.row(2 * (row % Self.ring)) }

  /// C'r of frame row `row`.
  @unsafe
  package func cr(_ row: Int) -> UnsafeMutablePointer<Float> { unsafe chroma.row(2 * (row % Self.ring) + 1) }

  /// Light on its way from the last mapping to its signal.
  @unsafe
  package var mapped: FloatRow { unsafe FloatRow(red: light.row(0), green: light.row(1), blue: light.row(2)) }
}

/// A row of linear light in float, where half float would round once too often.
@unsafe
package struct FloatRow {
  package let red: UnsafeMutablePointer<Float>
  package let green: UnsafeMutablePointer<Float>
  package let blue: UnsafeMutablePointer<Float>

  package init(
    red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>
  ) {
    unsafe self.red = unsafe red
    unsafe self.green = unsafe green
    unsafe self.blue = unsafe blue
  }
}

package import SIMDShims

/// The rows that one worker needs to pack a band.
package final class PackRows {
  /// Full-resolution chroma rows that are kept: a chroma row is made of three at most, and the next of two more.
  private static let ring = 4

  private let luma: RowStorage<Float>
  private let light: RowStorage<Float>
  /// A chroma row at the resolution of the output.
  package let reduced: RowStorage<Float>
  private let chroma: RowStorage<Float>

  package init(width: Int) {
    luma = RowStorage(rows: 1, width: width)
    light = RowStorage(rows: 3, width: width)
    reduced = RowStorage(rows: 1, width: width)
    chroma = RowStorage(rows: 2 * Self.ring, width: width)
  }

  /// B' - Y' of frame row `row`.
  @unsafe
  package func cb(_ row: Int) -> UnsafeMutablePointer<Float> { unsafe chroma.row(2 * (row % Self.ring)) }

  /// R' - Y' of frame row `row`.
  @unsafe
  package func cr(_ row: Int) -> UnsafeMutablePointer<Float> { unsafe chroma.row(2 * (row % Self.ring) + 1) }

  /// Roots of light on their way from the last mapping to the signal.
  @unsafe
  package var roots: hr_float_rows {
    unsafe hr_float_rows(first: light.row(0), second: light.row(1), third: light.row(2))
  }

  /// Y', B' - Y' and R' - Y' of frame row `row`.
  @unsafe
  package func signal(_ row: Int) -> hr_float_rows {
    unsafe hr_float_rows(first: luma.row(0), second: cb(row), third: cr(row))
  }
}

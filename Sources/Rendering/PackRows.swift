package import SIMDShims

/// The row buffers of one worker for packing a band.
package final class PackRows {
  /// Number of full-resolution chroma rows kept: a chroma row needs at most three, and the next one two more.
  private static let ring = 4

  private let luma: RowStorage<Float>
  private let light: RowStorage<Float>
  /// A chroma row at output resolution.
  package let reduced: RowStorage<Float>
  private let chroma: RowStorage<Float>
  /// Position of the packed picture in the dither mask.
  var origin = MaskOrigin()
  /// The overlay blended over the packed picture.
  var overlay: LightOverlay?

  package init(width: Int) {
    luma = RowStorage(rows: 1, width: width)
    light = RowStorage(rows: 3, width: width)
    reduced = RowStorage(rows: 1, width: width)
    chroma = RowStorage(rows: 2 * Self.ring, width: width)
  }

  /// Returns B' - Y' of frame row `row`.
  @unsafe
  package func cb(_ row: Int) -> UnsafeMutablePointer<Float> { unsafe chroma.row(2 * (row % Self.ring)) }

  /// Returns R' - Y' of frame row `row`.
  @unsafe
  package func cr(_ row: Int) -> UnsafeMutablePointer<Float> { unsafe chroma.row(2 * (row % Self.ring) + 1) }

  /// Returns roots of light between the last mapping and the signal.
  @unsafe
  package var roots: hr_float_rows {
    unsafe hr_float_rows(first: light.row(0), second: light.row(1), third: light.row(2))
  }

  /// Returns Y', B' - Y' and R' - Y' of frame row `row`.
  @unsafe
  package func signal(_ row: Int) -> hr_float_rows {
    unsafe hr_float_rows(first: luma.row(0), second: cb(row), third: cr(row))
  }
}

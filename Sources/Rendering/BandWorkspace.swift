internal import Frames

/// The memory of one worker for a band.
final class BandWorkspace: @unchecked Sendable {
  // @unchecked: only worker n uses workspace n, and one frame is rendered at a time.
  let unpack: UnpackRows
  let pack: PackRows
  let light: BandStorage
  /// A copy of a band's light for an output that changes it while others still need the original.
  let copy: BandStorage

  /// - Parameters:
  ///   - source: Format of the source.
  ///   - width: Maximum number of pixels in a row of the source or an output.
  ///   - height: Maximum number of rows in a band, including its halo.
  init(source: PixelFormat, width: Int, height: Int, hasCopy: Bool) {
    unpack = UnpackRows(width: source.size.width, layout: source.layout)
    pack = PackRows(width: width)
    light = BandStorage(width: width, height: height)
    copy = BandStorage(width: width, height: hasCopy ? height : 0)
  }
}

/// Memory for the light of one band at a time.
struct BandStorage {
  private let rows: RowStorage<Float16>
  private let height: Int

  init(width: Int, height: Int) {
    rows = RowStorage(rows: 3 * height, width: width)
    self.height = height
  }

  /// - Parameters:
  ///   - rows: Rows of the picture.
  ///   - own: Rows that are in no other band.
  ///   - step: The band contains every nth of `rows`.
  func band(rows: Range<Int>, own: Range<Int>, width: Int, step: Int = 1, field: Field? = nil) -> LinearBand {
    let count = (rows.count + step - 1) / step
    return unsafe LinearBand(
      self.rows, planeHeight: height, firstRow: rows.lowerBound, height: count, width: width,
      ownRows: step == 1 ? own.lowerBound - rows.lowerBound..<own.upperBound - rows.lowerBound : nil, rowStep: step,
      field: field)
  }

  /// Returns a copy of `band`.
  func copied(_ band: LinearBand) -> LinearBand {
    let result = unsafe LinearBand(
      rows, planeHeight: height, firstRow: band.firstRow, height: band.height, width: band.width,
      ownRows: band.ownRows, rowStep: band.rowStep, field: band.field)
    unsafe result.update(from: band)
    return unsafe result
  }
}

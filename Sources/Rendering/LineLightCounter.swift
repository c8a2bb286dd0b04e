/// Counts the light of rows and columns of a frame: mean and share of lit samples. A counter belongs to one worker.
@safe
package final class LineLightCounter: @unchecked Sendable {
  // @unchecked and @safe: elements of `rows` are written only by the worker of their row, elements of `columns` by the
  // counter's worker; all are read between frames. Rows have the width of the frame.

  /// Light of each bin of `MaxRGBCounter`.
  private static let light = (0..<MaxRGBCounts.binCount).map { Float(Float16(bitPattern: UInt16($0))) }

  private let width: Int
  /// The brightest unlit bin.
  private let limit: UInt16
  /// Sums of light and numbers of lit samples per frame row, for all workers.
  private let rows: RowStorage<Float>
  /// Sums of light and numbers of lit samples per column, for the rows of this worker.
  private let columns: RowStorage<Float>

  /// - Parameters:
  ///   - width: Samples of a row.
  ///   - limit: Light up to which a sample is unlit, in units of the bins.
  ///   - rows: Two rows with one element per frame row.
  package init(width: Int, limit: Float, rows: RowStorage<Float>) {
    (self.width, self.limit, self.rows) = (width, Float16(limit).bitPattern, rows)
    columns = RowStorage(rows: 2, width: width)
  }

  /// Counts a row of bins.
  @unsafe
  func count(_ bins: UnsafePointer<UInt16>, row: Int) {
    let (sums, counts) = unsafe (columns.row(0), columns.row(1))
    let light = Self.light.span
    var (sum, count): (Float, Float) = (0, 0)
    for x in 0..<width {
      let bin = unsafe bins[x]
      let value = light[Int(bin)]
      sum += value
      unsafe sums[x] += value
      if bin > limit {
        count += 1
        unsafe counts[x] += 1
      }
    }
    unsafe rows.row(0)[row] = sum
    unsafe rows.row(1)[row] = count
  }

  /// Returns and resets the sums and the numbers of lit samples of the columns.
  package func takeColumns() -> (sums: [Float], counts: [Float]) {
    let result = [0, 1].map { unsafe Array(UnsafeBufferPointer(start: columns.row($0), count: width)) }
    for row in 0..<2 { unsafe columns.row(row).update(repeating: 0, count: width) }
    return (result[0], result[1])
  }
}

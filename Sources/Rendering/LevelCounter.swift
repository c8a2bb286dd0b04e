package import ColorScience
internal import SIMDShims
internal import Synchronization

/// Counts the light of bands: the form in which the kernels measure.
///
/// The light of a pixel is max(R, G, B), which is a half float as it is; its bits are the pixel's level. A counter is for
/// one worker, whose calls never wait; the counts may be read by others.
@safe
package final class LevelCounter: @unchecked Sendable {
  // @unchecked and @safe: rows, bins and counts are touched inside `lock` only, and bands are no wider than rows.

  private let width: Int
  private let ootf: LightMapping?
  private let boundary: hr_gamut_boundary?
  private let lock = Mutex(())
  private let levels: RowStorage<UInt16>
  private let columns: RowStorage<UInt16>
  private let bins: RowStorage<UInt32>
  /// Pixels in `bins`: no more than one bin can hold.
  private var pending = 0
  private var counts: LevelCounts

  /// - Parameters:
  ///   - width: Pixels in a row of the widest band.
  ///   - ootf: A luminance gain from the light of bands to that which is measured; nil where they are one.
  ///   - boundary: The gamut that colours are counted outside of, from the primaries and in the unit of the bands.
  package init(width: Int, ootf: LightMapping? = nil, boundary: GamutBoundary? = nil) {
    self.width = width
    self.ootf = ootf
    self.boundary = boundary.map(hr_gamut_boundary.init)
    levels = RowStorage(rows: 1, width: width)
    columns = RowStorage(rows: 1, width: width)
    bins = RowStorage(rows: 1, width: LevelCounts.binCount)
    counts = LevelCounts(width: width)
  }

  /// Counts the rows of `band` that are in no other; the band stays as it is.
  /// - Parameter rowMaxima: Where the highest level of each row goes, by its number in the frame.
  @unsafe
  package func count(_ band: LinearBand, tier: KernelTier, rowMaxima: UnsafeMutablePointer<UInt16>? = nil) {
    precondition(unsafe band.width <= width)
    let kernels = unsafe tier.kernels
    let (levels, columns, bins) = unsafe (self.levels.row(0), self.columns.row(0), self.bins.row(0))
    lock.withLock { _ in
      let pixels = unsafe band.width * band.ownRows.count
      if pending + pixels > UInt32.max { settle() }
      pending += pixels
      for index in unsafe band.ownRows {
        let row = unsafe band.row(index).kernelRows
        unsafe measure(row, band.width, tier)
        let highest = unsafe kernels.tally(levels, bins, columns, band.width)
        unsafe rowMaxima?[band.firstRow + index] = highest
        if var boundary { unsafe counts.outside += kernels.count_outside(&boundary, row, band.width) }
      }
    }
  }

  /// The levels of a row.
  private func measure(_ row: hr_light_rows, _ width: Int, _ tier: KernelTier) {
    let (kernels, levels) = unsafe (tier.kernels, self.levels.row(0))
    guard let ootf else { return unsafe kernels.levels(row, levels, width) }
    unsafe ootf.withParameters(tier) { unsafe kernels.scene_levels($0, row, levels, width) }
  }

  /// Adds what has been counted to `sum`, which is as wide, and begins anew where `resets` says so.
  package func add(to sum: inout LevelCounts, resets: Bool = false) {
    lock.withLock { _ in
      settle()
      sum.add(counts)
      if resets { counts.clear() }
    }
  }

  /// Moves what the kernels have counted into `counts`.
  private func settle() {
    let (bins, columns) = unsafe (self.bins.row(0), self.columns.row(0))
    for level in counts.bins.indices { unsafe counts.bins[level] += Int(bins[level]) }
    for x in counts.columns.indices { counts.columns[x] = unsafe max(counts.columns[x], columns[x]) }
    unsafe bins.update(repeating: 0, count: counts.bins.count)
    unsafe columns.update(repeating: 0, count: counts.columns.count)
    pending = 0
  }
}

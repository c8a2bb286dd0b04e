package import ColorScience
internal import SIMDShims
internal import Synchronization

/// Builds histograms of the light of bands with the measuring kernels.
///
/// max(R, G, B) of a pixel is a half float, whose bit pattern is its bin index. A counter belongs to one worker, whose
/// calls never block; other threads may read the counts.
@safe
package final class MaxRGBCounter: @unchecked Sendable {
  // @unchecked and @safe: rows, bins and counts are accessed only inside `lock`, and bands are no wider than rows.

  private let width: Int
  private let ootf: ColorTransform?
  private let boundary: hr_gamut_boundary?
  private let lock = Mutex(())
  /// The bin of each pixel in a row.
  private let indices: RowStorage<UInt16>
  private let columns: RowStorage<UInt16>
  private let bins: RowStorage<UInt32>
  /// Pixels in `bins`: at most the capacity of one bin.
  private var pending = 0
  private var counts: MaxRGBCounts

  /// - Parameters:
  ///   - width: Pixels in a row of the widest band.
  ///   - ootf: A luminance gain from the light of bands to the measured light; nil: they are the same.
  ///   - boundary: The gamut that colours are tested against, for the primaries and unit of the bands.
  package init(width: Int, ootf: ColorTransform? = nil, boundary: GamutBoundary? = nil) {
    self.width = width
    self.ootf = ootf
    self.boundary = boundary.map(hr_gamut_boundary.init)
    indices = RowStorage(rows: 1, width: width)
    columns = RowStorage(rows: 1, width: width)
    bins = RowStorage(rows: 1, width: MaxRGBCounts.binCount)
    counts = MaxRGBCounts(width: width)
  }

  /// Counts the rows of `band` that are in no other band; the band is unchanged.
  /// - Parameters:
  ///   - rowMaxima: Receives the highest bin of each row, by frame row.
  ///   - lines: Counts the rows as well.
  @unsafe
  package func count(
    _ band: LinearBand, tier: KernelTier, rowMaxima: UnsafeMutablePointer<UInt16>? = nil,
    lines: LineLightCounter? = nil
  ) {
    precondition(unsafe band.width <= width)
    let kernels = unsafe tier.kernels
    let (indices, columns, bins) = unsafe (self.indices.row(0), self.columns.row(0), self.bins.row(0))
    lock.withLock { _ in
      let pixels = unsafe band.width * band.ownRows.count
      if pending + pixels > UInt32.max { settle() }
      pending += pixels
      for index in unsafe band.ownRows {
        let row = unsafe band.row(index).kernelRows
        unsafe measure(row, band.width, tier)
        let highest = unsafe kernels.tally(indices, bins, columns, band.width)
        unsafe rowMaxima?[band.frameRow(index)] = highest
        unsafe lines?.count(indices, row: band.frameRow(index))
        if var boundary { unsafe counts.outside += kernels.count_outside(&boundary, row, band.width) }
      }
    }
  }

  /// Computes the bins of a row's pixels.
  private func measure(_ row: hr_light_rows, _ width: Int, _ tier: KernelTier) {
    let (kernels, indices) = unsafe (tier.kernels, self.indices.row(0))
    guard let ootf else { return unsafe kernels.levels(row, indices, width) }
    unsafe ootf.withParameters(tier) { unsafe kernels.scene_levels($0, row, indices, width) }
  }

  /// Adds the counts to `sum`, which has the same width, and optionally resets them.
  package func add(to sum: inout MaxRGBCounts, resets: Bool = false) {
    lock.withLock { _ in
      settle()
      sum.add(counts)
      if resets { counts.clear() }
    }
  }

  /// Adds the kernels' counts to `counts`.
  private func settle() {
    let (bins, columns) = unsafe (self.bins.row(0), self.columns.row(0))
    for bin in counts.bins.indices { unsafe counts.bins[bin] += Int(bins[bin]) }
    for x in counts.columns.indices { counts.columns[x] = unsafe max(counts.columns[x], columns[x]) }
    unsafe bins.update(repeating: 0, count: counts.bins.count)
    unsafe columns.update(repeating: 0, count: counts.columns.count)
    pending = 0
  }
}

/// Histogram of max(R, G, B), and the maximum of each column.
package struct MaxRGBCounts: Sendable, Hashable {
  /// Bins from zero to the largest half float.
  package static let binCount = 0x7c00

  /// Pixels in each bin.
  package var bins = [Int](repeating: 0, count: binCount)
  package var columns: [UInt16]
  /// Pixels outside the gamut.
  package var outside = 0

  package init(width: Int) { columns = [UInt16](repeating: 0, count: width) }

  mutating func add(_ other: MaxRGBCounts) {
    for bin in bins.indices { bins[bin] += other.bins[bin] }
    for x in columns.indices { columns[x] = max(columns[x], other.columns[x]) }
    outside += other.outside
  }
  mutating func clear() {
    for bin in bins.indices { bins[bin] = 0 }
    for x in columns.indices { columns[x] = 0 }
    outside = 0
  }
}

public import Rendering
internal import SIMDShims
internal import Synchronization

/// A stage that counts colours and light without changing them. Place it before the mapping to a display and before
/// filters.
///
/// Light is display light of the reference display, as for `LightLevelAnalyzer`. Rows shared by bands are skipped, so
/// that each pixel counts once.
public final class GamutAnalyzer: Stage {
  private let classes: PixelClass
  private let workers: [Worker]

  /// Creates a stage for bands of one width.
  /// - Parameters:
  ///   - width: Pixels in a row.
  ///   - content: Interpretation of the bands.
  ///   - sdrWhite: Luminance of SDR white in cd/m².
  ///   - workers: Number of workers of the rendering pool.
  public init(width: Int, content: ContentInterpretation, sdrWhite: Double, workers: Int) {
    classes = PixelClass(content, sdrWhite: sdrWhite)
    self.workers = (0..<workers).map { _ in Worker(width: width) }
  }

  public var leavesLight: Bool { true }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe workers[worker].count(band, classes, tier)
  }

  /// The counts since the last call.
  public func takeStatistics() -> ColorStatistics {
    var result = ColorStatistics()
    for worker in workers {
      for (value, count) in worker.takeBins().enumerated() where count > 0 {
        let (counts, hue) = classes.meaning(of: value, count: count)
        result.add(counts, hue: hue)
      }
    }
    return result
  }

  /// The bins of one worker.
  private final class Worker: @unchecked Sendable {
    // @unchecked: rows are accessed only inside `lock`, and bands are no wider than rows.
    private let lock = Mutex(())
    /// The class of each pixel in a row.
    private let indices: RowStorage<UInt16>
    /// Required by `tally` but unused.
    private let columns: RowStorage<UInt16>
    private let bins = RowStorage<UInt32>(rows: 1, width: PixelClass.count)
    private var sums = [Int](repeating: 0, count: PixelClass.count)
    /// Pixels in `bins`: at most the capacity of one bin.
    private var pending = 0

    init(width: Int) {
      indices = RowStorage(rows: 1, width: width)
      columns = RowStorage(rows: 1, width: width)
    }

    func count(_ band: LinearBand, _ classes: PixelClass, _ tier: KernelTier) {
      let (indices, columns, bins) = unsafe (self.indices.row(0), self.columns.row(0), self.bins.row(0))
      lock.withLock { _ in
        let pixels = unsafe band.width * band.ownRows.count
        if pending + pixels > UInt32.max { settle() }
        pending += pixels
        for index in unsafe band.ownRows {
          unsafe classes.classify(band.row(index), width: band.width, tier: tier, to: indices)
          _ = unsafe tier.kernels.tally(UnsafePointer(indices), bins, columns, band.width)
        }
      }
    }

    func takeBins() -> [Int] {
      lock.withLock { _ in
        settle()
        defer { for index in sums.indices { sums[index] = 0 } }
        return sums
      }
    }

    private func settle() {
      let bins = unsafe self.bins.row(0)
      for index in sums.indices { unsafe sums[index] += Int(bins[index]) }
      unsafe bins.update(repeating: 0, count: sums.count)
      pending = 0
    }
  }
}

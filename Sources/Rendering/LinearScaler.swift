public import Frames
internal import SIMDShims

/// Scales frames of linear light to another size.
///
/// Light is averaged with positive weights only: edges do not ring, no new colours appear, and a uniform area keeps its
/// exact value. When downscaling, every source pixel counts. The result does not depend on the number of workers, and
/// averages are always finite.
public final class LinearScaler: Sendable {
  private let source: Size
  private let target: Size
  private let tier: KernelTier
  private let pool: WorkerPool
  private let rows: ResamplingFilter
  private let columns: RowResampling
  private let workspaces: [Workspace]
  private let bandHeight = 16

  /// A row averaged vertically, still of full width.
  private final class Workspace: @unchecked Sendable {
    // @unchecked: only worker n uses workspace n, and a pool runs one job at a time.
    let row: RowStorage<Float>

    init(width: Int) { row = RowStorage(rows: 1, width: width) }
  }

  /// Creates a scaler from one size to another.
  /// - Parameters:
  ///   - source: Width and height of the frames; at least 1 each.
  ///   - target: Width and height of the results; at least 1 each.
  ///   - tier: Kernels to use, supported by the processor.
  ///   - pool: Worker threads.
  public init(from source: Size, to target: Size, tier: KernelTier = .detected, pool: WorkerPool) {
    precondition(tier <= .detected)
    precondition(source.width > 0 && source.height > 0 && target.width > 0 && target.height > 0)
    (self.source, self.target, self.tier, self.pool) = (source, target, tier, pool)
    rows = ResamplingFilter(from: source.height, to: target.height)
    columns = RowResampling(ResamplingFilter(from: source.width, to: target.width), from: source.width)
    workspaces = (0..<pool.count).map { _ in Workspace(width: source.width) }
  }

  /// Scales a frame; a frame of the target size is copied.
  /// - Parameters:
  ///   - frame: A frame of the scaler's source size.
  ///   - result: Another frame, of the scaler's target size.
  public func scale(_ frame: LinearFrame, into result: LinearFrame) {
    precondition(frame.size == source && result.size == target && frame !== result)
    pool.forEachBand(of: target.height, span: bandHeight) { [self] band, _, worker in
      if source == target {
        unsafe result.band(rows: band).update(from: frame.band(rows: band))
      } else {
        scale(band, of: frame, into: result, by: workspaces[worker].row)
      }
    }
  }

  private func scale(_ band: Range<Int>, of frame: LinearFrame, into result: LinearFrame, by row: RowStorage<Float>) {
    let (kernels, light, target) = unsafe (tier.kernels, frame.band(rows: 0..<source.height), result.band(rows: band))
    unsafe columns.withParameters { columns in
      for index in 0..<band.count {
        let y = band.lowerBound + index
        let (sources, results) = unsafe (light.row(rows.starts[y]).components, target.row(index).components)
        let weights = rows.weights[y]
        for unsafe(source, result) in unsafe zip(sources, results) {
          unsafe kernels.weigh_rows(source, light.stride, weights, weights.count, row.row(0), self.source.width)
          unsafe kernels.resample(columns, row.row(0), result, self.target.width)
        }
      }
    }
  }
}

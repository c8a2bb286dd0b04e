public import Frames
internal import Synchronization

/// Renders frames of one format into another, band by band: unpack to linear light, stages, pack.
///
/// The result does not depend on the number of workers.
public final class FrameRenderer: Sendable {
  /// What a picture is rendered from or to.
  public struct Endpoint: Sendable, Hashable {
    public var format: PixelFormat
    public var transfer: SignalTransfer

    public init(format: PixelFormat, transfer: SignalTransfer) {
      self.format = format
      self.transfer = transfer
    }
  }

  public let source: Endpoint
  public let target: Endpoint
  private let stages: [any Stage]
  private let tier: KernelTier
  private let pool: WorkerPool
  private let unpacker: BandUnpacker
  private let packer: BandPacker
  private let bandHeight: Int
  private let workspaces: [Workspace]

  /// - Parameters:
  ///   - source: What frames come in; its size is that of `target`.
  ///   - stages: What happens to the light, in order.
  ///   - target: What frames go out: planar Y'CbCr.
  ///   - dither: Eight-bit output is dithered; deeper output never is.
  ///   - tier: Kernels to use, none that the processor lacks.
  ///   - pool: Threads to share the work with.
  public init(
    source: Endpoint, stages: [any Stage], target: Endpoint, dither: Bool = true,
    tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    precondition(source.format.size == target.format.size && tier <= .detected)
    self.source = source
    self.target = target
    // The packer runs a last stage that is a plain mapping.
    let mapping = stages.last?.mapping
    self.stages = mapping == nil ? stages : stages.dropLast()
    self.tier = tier
    self.pool = pool
    unpacker = try BandUnpacker(format: source.format, transfer: source.transfer, tier: tier)
    packer = try BandPacker(
      format: target.format, transfer: target.transfer, mapping: mapping ?? .identity, dither: dither, tier: tier)
    let height = Self.bandHeight(width: source.format.size.width)
    bandHeight = height
    workspaces = (0..<pool.count).map { _ in Workspace(width: source.format.size.width, height: height + 2) }
  }

  /// Rows whose half-float planes fill a third of the second-level cache: coded rows, tables and the rows that packing
  /// keeps have the rest.
  package static func bandHeight(width: Int) -> Int {
    let rowBytes = 3 * MemoryLayout<Float16>.stride * max(width, 1)
    return min(max(secondLevelCache / 3 / rowBytes / 2 * 2, 2), 64)
  }

  /// Renders `frame` into `result`.
  /// - Throws: `RenderingError.formatMismatch` where a frame is not of the format that the renderer was made for.
  public func render(_ frame: CodedFrame, into result: CodedFrame) throws(RenderingError) {
    try check(frame, source.format)
    try check(result, target.format)
    let rows = frame.size.height
    pool.run((rows + bandHeight - 1) / bandHeight) { [self] index, worker in
      let first = index * bandHeight
      let band = first..<min(first + bandHeight, rows)
      let halo = packer.halo
      let needed = max(band.lowerBound - halo.above, 0)..<min(band.upperBound + halo.below, rows)
      let workspace = workspaces[worker]
      let light = unsafe workspace.band(rows: needed, own: band, width: frame.size.width)
      unsafe unpacker.unpack(frame, into: light, using: workspace.unpack)
      for stage in stages { unsafe stage.process(light, tier: tier, worker: worker) }
      unsafe packer.pack(light, rows: band, into: result, using: workspace.pack)
    }
  }

  private func check(_ frame: CodedFrame, _ format: PixelFormat) throws(RenderingError) {
    guard frame.format == format else { throw .formatMismatch(expected: format, actual: frame.format) }
  }

  /// What one worker needs for a band.
  private final class Workspace: @unchecked Sendable {
    // @unchecked: worker n alone uses workspace n, and one frame is rendered at a time.
    let unpack: UnpackRows
    let pack: PackRows
    private let light: RowStorage<Float16>
    private let height: Int

    init(width: Int, height: Int) {
      unpack = UnpackRows(width: width)
      pack = PackRows(width: width)
      light = RowStorage(rows: 3 * height, width: width)
      self.height = height
    }

    func band(rows: Range<Int>, own: Range<Int>, width: Int) -> LinearBand {
      unsafe LinearBand(
        light, planeHeight: height, firstRow: rows.lowerBound, height: rows.count, width: width,
        ownRows: (own.lowerBound - rows.lowerBound)..<(own.upperBound - rows.lowerBound))
    }
  }
}

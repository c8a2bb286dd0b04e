public import Frames

/// Renders frames of one format to whole frames of linear light, for those who want the values and not a coded frame.
///
/// Chroma of an interlaced frame is up-sampled within each field, where the height divides into fields.
public final class FrameLinearizer: Sendable {
  public let source: FrameRenderer.Endpoint
  private let stages: [any Stage]
  private let tier: KernelTier
  private let pool: WorkerPool
  private let picture: BandUnpacker
  /// Top and bottom; nil where the height does not divide.
  private let fields: (BandUnpacker, BandUnpacker)?
  private let workspaces: [Workspace]

  /// The rows of one worker.
  private final class Workspace: @unchecked Sendable {
    // @unchecked: worker n alone uses workspace n, and one frame is rendered at a time.
    let rows: UnpackRows
    init(width: Int) { rows = UnpackRows(width: width) }
  }

  /// - Parameters:
  ///   - source: What frames come in.
  ///   - stages: What happens to the light, in order.
  ///   - tier: Kernels to use, none that the processor lacks.
  ///   - pool: Threads to share the work with.
  public init(
    source: FrameRenderer.Endpoint, stages: [any Stage] = [], tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    precondition(tier <= .detected)
    self.source = source
    self.stages = stages
    self.tier = tier
    self.pool = pool
    picture = try BandUnpacker(format: source.format, transfer: source.transfer, tier: tier)
    fields = try BandUnpacker.fields(of: source.format, transfer: source.transfer, tier: tier)
    workspaces = (0..<pool.count).map { _ in Workspace(width: source.format.size.width) }
  }

  /// Linear light of `frame`, after the stages.
  /// - Throws: `RenderingError.formatMismatch` where it is not of the format that this was made for.
  public func linearFrame(_ frame: CodedFrame) throws(RenderingError) -> LinearFrame {
    guard frame.format == source.format else {
      throw .formatMismatch(expected: source.format, actual: frame.format)
    }
    let result = LinearFrame(size: frame.size, time: frame.time)
    if frame.fieldOrder != nil, let fields {
      linearize(frame.field(.top), .top, fields.0, into: result)
      linearize(frame.field(.bottom), .bottom, fields.1, into: result)
    } else {
      linearize(frame, nil, picture, into: result)
    }
    return result
  }

  private func linearize(_ picture: CodedFrame, _ field: Field?, _ unpacker: BandUnpacker, into result: LinearFrame) {
    let (height, rows) = (16, picture.size.height)
    pool.run((rows + height - 1) / height) { [self] index, worker in
      let band = unsafe result.band(rows: index * height..<min((index + 1) * height, rows), of: field)
      unsafe unpacker.unpack(picture, into: band, using: workspaces[worker].rows)
      for stage in stages { unsafe stage.process(band, tier: tier, worker: worker) }
    }
  }
}

public import Frames
internal import Synchronization

/// Renders frames of one format into another, band by band: unpack to linear light, stages, pack.
///
/// The two fields of an interlaced frame are rendered as a picture each, where the heights of source and target divide
/// into fields. The result does not depend on the number of workers.
public final class FrameRenderer: Sendable {
  /// What a picture is rendered from or to.
  public struct Endpoint: Sendable, Hashable {
    public var format: PixelFormat
    public var transfer: SignalTransfer
    /// The largest signal that a target codes: above 1 where its super-white is that of the source. Of sources every code
    /// counts.
    public var reach: Double

    public init(format: PixelFormat, transfer: SignalTransfer, reach: Double = 1) {
      precondition(reach >= 1)
      self.format = format
      self.transfer = transfer
      self.reach = reach
    }
  }

  public let source: Endpoint
  public let target: Endpoint
  public let orientation: Orientation
  private let stages: [any Stage]
  private let tier: KernelTier
  private let pool: WorkerPool
  private let picture: Ends
  /// Top and bottom; nil where the heights do not divide.
  private let fields: (Ends, Ends)?
  private let bandHeight: Int
  private let workspaces: [Workspace]
  /// The light of a whole frame before it is turned, for one frame at a time.
  private let upright: LinearFrame?
  private let turn = Mutex(())

  /// Where a picture's light comes from and goes to.
  private struct Ends {
    let unpacker: BandUnpacker
    let packer: BandPacker
  }

  /// - Parameters:
  ///   - source: What frames come in.
  ///   - stages: What happens to the light, in order.
  ///   - target: What frames go out: planar Y'CbCr, of the size of the source turned by `orientation`.
  ///   - orientation: How the picture is turned. Light is turned and not samples, as chroma sited on the top left would
  ///     come to lie on the top right.
  ///   - dither: Eight-bit output is dithered; deeper output never is.
  ///   - tier: Kernels to use, none that the processor lacks.
  ///   - pool: Threads to share the work with.
  public init(
    source: Endpoint, stages: [any Stage], target: Endpoint, orientation: Orientation = .identity, dither: Bool = true,
    tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    let size = target.format.size
    precondition(orientation.turned(source.format.size) == size && tier <= .detected)
    self.source = source
    self.orientation = orientation
    self.target = target
    // The packer runs a last stage that is a plain mapping.
    let mapping = stages.last?.mapping
    self.stages = mapping == nil ? stages : stages.dropLast()
    self.tier = tier
    self.pool = pool
    let packer = try BandPacker(
      format: target.format, transfer: target.transfer, reach: target.reach, mapping: mapping, dither: dither,
      tier: tier)
    picture = Ends(
      unpacker: try BandUnpacker(format: source.format, transfer: source.transfer, tier: tier), packer: packer)
    fields = try Self.fields(source, packer, tier)
    let height = Self.bandHeight(width: size.width)
    bandHeight = height
    workspaces = (0..<pool.count).map { _ in
      Workspace(sourceWidth: source.format.size.width, width: size.width, height: height + 2)
    }
    upright =
      orientation == .identity
      ? nil
      : LinearFrame(size: source.format.size, time: FrameTime(presentation: 0, duration: 0, timeBase: Rational(1, 1)))
  }

  private static func fields(
    _ source: Endpoint, _ packer: BandPacker, _ tier: KernelTier
  ) throws(RenderingError) -> (Ends, Ends)? {
    guard packer.format.layout.dividesIntoFields(height: packer.format.size.height),
      let (top, bottom) = try BandUnpacker.fields(of: source.format, transfer: source.transfer, tier: tier)
    else { return nil }
    return (
      Ends(unpacker: top, packer: packer.field(.top)), Ends(unpacker: bottom, packer: packer.field(.bottom))
    )
  }

  /// Rows whose half-float planes fill a third of the second-level cache: coded rows, tables and the rows that packing
  /// keeps have the rest.
  package static func bandHeight(width: Int) -> Int {
    let rowBytes = 3 * MemoryLayout<Float16>.stride * max(width, 1)
    return min(max(secondLevelCache / 3 / rowBytes / 2 * 2, 2), 64)
  }

  /// Renders `frame` into `result`.
  /// - Throws: `RenderingError.formatMismatch` where a frame is not of the format that the renderer was made for,
  ///   `interlacedTurn` where it is interlaced and the renderer turns.
  public func render(_ frame: CodedFrame, into result: CodedFrame) throws(RenderingError) {
    try check(frame, source.format)
    try check(result, target.format)
    if let upright {
      if frame.fieldOrder != nil { throw .interlacedTurn }
      turn.withLock { _ in renderTurned(frame, by: upright, into: result) }
    } else if frame.fieldOrder != nil, let fields {
      renderFields(frame, fields, into: result)
    } else {
      pool.run(bands(frame.size.height)) { [self] index, worker in
        renderBand(index, of: frame, picture, into: result, worker)
      }
    }
  }

  private func renderFields(_ frame: CodedFrame, _ fields: (Ends, Ends), into result: CodedFrame) {
    let (top, bottom) = ((frame.field(.top), result.field(.top)), (frame.field(.bottom), result.field(.bottom)))
    let count = bands(top.0.size.height)
    pool.run(2 * count) { [self] index, worker in
      if index < count {
        renderBand(index, of: top.0, fields.0, into: top.1, worker)
      } else {
        renderBand(index - count, of: bottom.0, fields.1, into: bottom.1, worker)
      }
    }
  }

  /// First the light of the whole frame, as a band of the result needs a column of every row.
  private func renderTurned(_ frame: CodedFrame, by upright: LinearFrame, into result: CodedFrame) {
    let rows = frame.size.height
    pool.run(bands(rows)) { [self] index, worker in
      let first = index * bandHeight
      let light = unsafe upright.band(rows: first..<min(first + bandHeight, rows))
      unsafe picture.unpacker.unpack(frame, into: light, using: workspaces[worker].unpack)
    }
    pool.run(bands(result.size.height)) { [self] index, worker in
      let (workspace, needed) = (workspaces[worker], rowsNeeded(index, of: picture.packer))
      let own = self.rows(index, of: picture.packer)
      let light = unsafe workspace.band(rows: needed, own: own, width: result.size.width)
      unsafe upright.gather(orientation, into: light, tier: tier)
      unsafe process(light, own, picture.packer, into: result, worker)
    }
  }

  private func bands(_ rows: Int) -> Int { (rows + bandHeight - 1) / bandHeight }

  private func renderBand(_ index: Int, of frame: CodedFrame, _ ends: Ends, into result: CodedFrame, _ worker: Int) {
    let (workspace, own) = (workspaces[worker], rows(index, of: ends.packer))
    let light = unsafe workspace.band(rows: rowsNeeded(index, of: ends.packer), own: own, width: frame.size.width)
    unsafe ends.unpacker.unpack(frame, into: light, using: workspace.unpack)
    unsafe process(light, own, ends.packer, into: result, worker)
  }

  private func process(
    _ light: LinearBand, _ rows: Range<Int>, _ packer: BandPacker, into result: CodedFrame, _ worker: Int
  ) {
    for stage in stages { unsafe stage.process(light, tier: tier, worker: worker) }
    unsafe packer.pack(light, rows: rows, into: result, using: workspaces[worker].pack)
  }

  private func rows(_ band: Int, of packer: BandPacker) -> Range<Int> {
    let first = band * bandHeight
    return first..<min(first + bandHeight, packer.format.size.height)
  }

  private func rowsNeeded(_ band: Int, of packer: BandPacker) -> Range<Int> {
    let (rows, halo) = (rows(band, of: packer), packer.halo)
    return max(rows.lowerBound - halo.above, 0)..<min(rows.upperBound + halo.below, packer.format.size.height)
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

    init(sourceWidth: Int, width: Int, height: Int) {
      unpack = UnpackRows(width: sourceWidth)
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

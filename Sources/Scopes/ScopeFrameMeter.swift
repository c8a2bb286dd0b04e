public import Frames
public import Rendering
internal import Synchronization
public import ToneMapping

/// Counts the light of frames of one format for scopes, in bands that several threads share.
///
/// What is counted is what `ScopeMeter` counts. Fields of interlaced frames are unpacked apart, and counted together.
@safe
public final class ScopeFrameMeter: @unchecked Sendable {
  // @unchecked and @safe: one frame is counted at a time, inside `lock`; worker n alone uses workspace n.

  public let format: PixelFormat
  private let tier: KernelTier
  private let pool: WorkerPool
  private let picture: BandUnpacker
  /// For the fields of interlaced frames, whose chroma must not mix.
  private let fields: (BandUnpacker, BandUnpacker)?
  private let bandHeight: Int
  private let rowStep: Int
  private let lock = Mutex(())
  private let workspaces: [Workspace]
  private let meter: ScopeMeter

  /// What one worker needs for a band.
  private final class Workspace: @unchecked Sendable {
    // @unchecked: see above.
    let rows: UnpackRows
    let light: RowStorage<Float16>

    init(width: Int, bandHeight: Int) {
      rows = UnpackRows(width: width)
      light = RowStorage(rows: 3 * bandHeight, width: width)
    }
  }

  /// - Parameters:
  ///   - format: What frames come in.
  ///   - content: What their codes stand for.
  ///   - sdrWhite: Luminance of SDR white in cd/m², above 0.
  ///   - settings: What is counted.
  ///   - tier: Kernels to use, none that the processor lacks.
  ///   - pool: Threads to share the work with.
  public init(
    format: PixelFormat, content: ContentInterpretation, sdrWhite: Double = 100, settings: ScopeSettings,
    tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    precondition(tier <= .detected)
    self.format = format
    self.tier = tier
    self.pool = pool
    picture = try BandUnpacker(format: format, transfer: content.transfer, tier: tier)
    fields = try BandUnpacker.fields(of: format, transfer: content.transfer, tier: tier)
    let (width, height) = (format.size.width, FrameRenderer.bandHeight(width: format.size.width))
    bandHeight = height
    rowStep = settings.rowStep
    workspaces = (0..<pool.count).map { _ in Workspace(width: width, bandHeight: height) }
    meter = ScopeMeter(
      size: format.size, content: content, sdrWhite: sdrWhite, settings: settings, workers: pool.count)
  }

  /// What scopes show of `frame`. Callers from several threads wait for each other.
  /// - Throws: `RenderingError.formatMismatch` where it is not of the format that this was made for.
  public func counts(_ frame: CodedFrame) throws(RenderingError) -> ScopeCounts {
    var counts = ScopeCounts(size: format.size, columns: 0)
    try count(frame, into: &counts)
    return counts
  }

  /// The same into counts of another frame, whose memory is used again.
  public func count(_ frame: CodedFrame, into counts: inout ScopeCounts) throws(RenderingError) {
    guard frame.format == format else { throw .formatMismatch(expected: format, actual: frame.format) }
    lock.withLock { _ in
      if frame.fieldOrder != nil, let fields {
        count(frame.field(.top), fields.0)
        count(frame.field(.bottom), fields.1)
      } else {
        count(frame, picture)
      }
      meter.takeCounts(into: &counts)
    }
  }

  /// Counts a picture or a field.
  private func count(_ picture: CodedFrame, _ unpacker: BandUnpacker) {
    let (height, span) = (picture.size.height, bandHeight * rowStep)
    pool.run((height + span - 1) / span) { [self] index, number in
      let rows = (index * span)..<min((index + 1) * span, height)
      count(rows, of: picture, unpacker, number)
    }
  }

  /// Rows that are not counted are not unpacked either; those that are lie one below the other.
  private func count(_ rows: Range<Int>, of picture: CodedFrame, _ unpacker: BandUnpacker, _ worker: Int) {
    let (workspace, width) = (workspaces[worker], picture.size.width)
    func band(_ first: Int, offset: Int, height: Int) -> LinearBand {
      unsafe LinearBand(
        workspace.light, planeHeight: bandHeight, offset: offset, firstRow: first, height: height, width: width)
    }
    var count = 0
    if rowStep == 1 {
      count = rows.count
      unsafe unpacker.unpack(picture, into: band(rows.lowerBound, offset: 0, height: count), using: workspace.rows)
    } else {
      for row in stride(from: rows.lowerBound, to: rows.upperBound, by: rowStep) {
        unsafe unpacker.unpack(picture, into: band(row, offset: count, height: 1), using: workspace.rows)
        count += 1
      }
    }
    unsafe meter.count(band(0, offset: 0, height: count), rowStep: 1, tier: tier, worker: worker)
  }
}

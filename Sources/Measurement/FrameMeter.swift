public import Frames
public import Rendering
internal import Synchronization
public import ToneMapping

/// Measures the light of frames of one format, in bands that several threads share.
///
/// What is measured is what the reference display shows: of PQ, the luminance that it codes; of HLG, that of a display of
/// 1000 cd/m² with the system gamma 1.2; of SDR, BT.1886 with a black of 0. SDR and HLG in narrow
/// range go on above signal 1, as their formulas do; PQ ends there.
/// Source: CTA-861.3-A (2016), annex A, for max(R, G, B); ITU-R BT.2100-2, table 5, for the OOTF.
@safe
public final class FrameMeter: @unchecked Sendable {
  // @unchecked and @safe: `rowMaxima` is touched inside `lock` only, its elements by one worker each.

  /// Luminance of SDR white in cd/m² where nothing else is said. Source: ITU-R BT.2035 (2013).
  public static let defaultSDRWhite = 100.0

  public let format: PixelFormat
  private let nitsPerUnit: Double
  private let tier: KernelTier
  private let pool: WorkerPool
  private let picture: BandUnpacker
  /// For the fields of interlaced frames, whose chroma must not mix.
  private let fields: (BandUnpacker, BandUnpacker)?
  private let bandHeight: Int
  private let lock = Mutex(())
  private let workers: [Worker]
  private let rowMaxima: RowStorage<UInt16>

  /// What one worker needs for a band.
  private final class Worker: @unchecked Sendable {
    // @unchecked: worker n alone uses `rows` and `light` of n, and one frame is measured at a time.
    let rows: UnpackRows
    let light: RowStorage<Float16>
    let counter: LevelCounter

    init(width: Int, bandHeight: Int, ootf: LightMapping?) {
      rows = UnpackRows(width: width)
      light = RowStorage(rows: 3 * bandHeight, width: width)
      counter = LevelCounter(width: width, ootf: ootf)
    }
  }

  /// - Parameters:
  ///   - format: What frames come in.
  ///   - content: What their codes stand for.
  ///   - sdrWhite: Luminance of SDR white in cd/m², above 0.
  ///   - reading: How subsampled chroma is read.
  ///   - dividesFields: Interlaced frames are read field by field; else as if they were progressive.
  ///   - tier: Kernels to use, none that the processor lacks.
  ///   - pool: Threads to share the work with.
  public init(
    format: PixelFormat, content: ContentInterpretation, sdrWhite: Double = defaultSDRWhite,
    reading: ChromaReading = .bilinear, dividesFields: Bool = true,
    tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    precondition(tier <= .detected)
    self.format = format
    self.tier = tier
    self.pool = pool
    picture = try BandUnpacker(format: format, transfer: content.transfer, reading: reading, tier: tier)
    fields =
      try dividesFields
      ? BandUnpacker.fields(of: format, transfer: content.transfer, reading: reading, tier: tier) : nil
    let light = DisplayLight(content, sdrWhite: sdrWhite)
    nitsPerUnit = light.nitsPerUnit
    let (width, height) = (format.size.width, FrameRenderer.bandHeight(width: format.size.width))
    bandHeight = height
    workers = (0..<pool.count).map { _ in Worker(width: width, bandHeight: height, ootf: light.ootf) }
    rowMaxima = RowStorage(rows: 1, width: format.size.height)
  }

  /// The light of `frame`. Callers from several threads wait for each other.
  /// - Throws: `RenderingError.formatMismatch` where it is not of the format that this was made for.
  public func measure(_ frame: CodedFrame) throws(RenderingError) -> FrameLight {
    guard frame.format == format else { throw .formatMismatch(expected: format, actual: frame.format) }
    return lock.withLock { _ in
      let maxima: [UInt16]
      if frame.fieldOrder != nil, let fields {
        let (top, bottom) = (measure(frame.field(.top), fields.0), measure(frame.field(.bottom), fields.1))
        maxima = zip(top, bottom).flatMap { [$0, $1] }
      } else {
        maxima = measure(frame, picture)
      }
      var counts = LevelCounts(width: frame.size.width)
      for worker in workers { worker.counter.add(to: &counts, resets: true) }
      return FrameLight(
        size: frame.size, histogram: LightHistogram(nitsPerUnit: nitsPerUnit, bins: counts.bins), rowMaxima: maxima,
        columnMaxima: counts.columns)
    }
  }

  /// Counts a picture or a field.
  /// - Returns: The highest level of each row.
  private func measure(_ picture: CodedFrame, _ unpacker: BandUnpacker) -> [UInt16] {
    let (height, width) = (picture.size.height, picture.size.width)
    pool.run((height + bandHeight - 1) / bandHeight) { [self] index, number in
      let (first, worker) = (index * bandHeight, workers[number])
      let band = unsafe LinearBand(
        worker.light, planeHeight: bandHeight, firstRow: first, height: min(bandHeight, height - first), width: width)
      unsafe unpacker.unpack(picture, into: band, using: worker.rows)
      unsafe worker.counter.count(band, tier: tier, rowMaxima: rowMaxima.row(0))
    }
    return unsafe Array(UnsafeBufferPointer(start: rowMaxima.row(0), count: height))
  }
}

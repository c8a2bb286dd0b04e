public import ColorScience
public import Frames
public import Rendering
internal import Synchronization

/// A stage that measures light levels without changing frames. Place it before the tone mapper.
///
/// It measures the content's light on the reference display: for PQ, the coded luminance; for HLG, the light of a 1000
/// cd/m² display with system gamma 1.2, after the OOTF; for SDR, BT.1886 with black at 0. SDR and HLG in limited range
/// continue above signal 1, as their formulas do; PQ ends there. Rows shared by bands are skipped, so that each pixel
/// counts once.
/// Source: CTA-861.3-A (2016), annex A, for max(R, G, B); ITU-R BT.2100-2, table 5, for the OOTF.
@safe
public final class LightLevelAnalyzer: Stage, @unchecked Sendable {
  // @unchecked and @safe: each element of `rowMaxima` is written only by the worker of its row, and read between
  // frames.

  /// The results so far.
  public struct Result: Sendable, Hashable {
    /// max(R, G, B) of every pixel.
    public var histogram: LightHistogram
    /// Number of pixels outside the gamut; 0 if none was specified.
    public var outside: Int
  }

  /// Default luminance of SDR white in cd/m². Source: ITU-R BT.2035 (2013).
  public static let defaultSDRWhite = 100.0

  private let size: Size
  private let nitsPerUnit: Double
  private let counters: [MaxRGBCounter]
  private let rowMaxima: RowStorage<UInt16>
  /// Per row, the sum of light and the number of lit samples.
  private let rowLight: RowStorage<Float>
  /// Empty unless lines are counted.
  private let lines: [LineLightCounter]

  /// Creates a stage for pictures up to a size.
  /// - Parameters:
  ///   - size: Maximum width and height of a picture.
  ///   - content: Interpretation of the bands.
  ///   - sdrWhite: Luminance of SDR white in cd/m², above 0.
  ///   - gamut: The gamut whose outside colours are counted; nil: none.
  ///   - workers: Number of workers of the rendering pool.
  public convenience init(
    size: Size, content: ContentInterpretation, sdrWhite: Double = defaultSDRWhite, gamut: RGBSpace? = nil,
    workers: Int
  ) {
    self.init(size: size, content: content, sdrWhite: sdrWhite, gamut: gamut, black: nil, workers: workers)
  }

  /// - Parameter black: Light in cd/m² up to which a sample of a row or column is not lit; nil: not counted.
  init(
    size: Size, content: ContentInterpretation, sdrWhite: Double, gamut: RGBSpace? = nil, black: Double?, workers: Int
  ) {
    let light = DisplayLight(content, sdrWhite: sdrWhite)
    let boundary = gamut.map { light.form.boundary(of: $0, from: content.primaries) }
    self.size = size
    nitsPerUnit = light.nitsPerUnit
    counters = (0..<workers).map { _ in MaxRGBCounter(width: size.width, ootf: light.ootf, boundary: boundary) }
    rowMaxima = RowStorage(rows: 1, width: size.height)
    let rowLight = RowStorage<Float>(rows: 2, width: size.height)
    self.rowLight = rowLight
    lines =
      black.map { black in
        (0..<workers).map { _ in
          LineLightCounter(width: size.width, limit: Float(black / light.nitsPerUnit), rows: rowLight)
        }
      } ?? []
  }

  public var leavesLight: Bool { true }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe counters[worker].count(
      band, tier: tier, rowMaxima: rowMaxima.row(0), lines: lines.isEmpty ? nil : lines[worker])
  }

  /// The results so far; while a frame is rendered, they include part of it.
  public var result: Result {
    let counts = counts(resets: false)
    return Result(histogram: LightHistogram(nitsPerUnit: nitsPerUnit, bins: counts.bins), outside: counts.outside)
  }

  /// Returns and resets the light of the single frame since the last call.
  func takeFrame() -> FrameLight {
    let counts = counts(resets: true)
    return FrameLight(
      size: size, histogram: LightHistogram(nitsPerUnit: nitsPerUnit, bins: counts.bins),
      rowMaxima: unsafe Array(UnsafeBufferPointer(start: rowMaxima.row(0), count: size.height)),
      columnMaxima: counts.columns, lines: takeLines())
  }

  private func takeLines() -> FrameLight.Lines? {
    if lines.isEmpty { return nil }
    var columns = (sums: [Float](repeating: 0, count: size.width), counts: [Float](repeating: 0, count: size.width))
    for counter in lines {
      let (sums, counts) = counter.takeColumns()
      for x in sums.indices {
        columns.sums[x] += sums[x]
        columns.counts[x] += counts[x]
      }
    }
    let (unit, width, height) = (Float(nitsPerUnit), Float(size.width), Float(size.height))
    func rows(_ index: Int) -> UnsafeBufferPointer<Float> {
      unsafe UnsafeBufferPointer(start: rowLight.row(index), count: size.height)
    }
    return unsafe FrameLight.Lines(
      rowMeans: rows(0).map { $0 / width * unit }, rowShares: rows(1).map { $0 / width },
      columnMeans: columns.sums.map { $0 / height * unit }, columnShares: columns.counts.map { $0 / height })
  }

  private func counts(resets: Bool) -> MaxRGBCounts {
    var counts = MaxRGBCounts(width: size.width)
    for counter in counters { counter.add(to: &counts, resets: resets) }
    return counts
  }
}

/// Measures the light of whole frames of one format, one frame at a time, as `LightLevelAnalyzer` does.
public final class FrameLightAnalyzer: Sendable {
  private let renderer: FrameRenderer
  private let levels: LightLevelAnalyzer
  private let turn = Mutex(())

  /// Creates an analyzer of frames of one format.
  /// - Parameters:
  ///   - format: Format of the frames.
  ///   - content: Interpretation of their code values.
  ///   - sdrWhite: Luminance of SDR white in cd/m², above 0.
  ///   - chroma: Upsampling of subsampled chroma.
  ///   - dividesFields: Reads interlaced frames field by field; otherwise as if they were progressive.
  ///   - black: Light in cd/m² up to which a sample beside the picture is black, for bar detection
  ///     (`ContentLightAccumulator.pictureArea(_:)`); nil: no detection.
  ///   - tier: Kernels to use, supported by the processor.
  ///   - pool: Worker threads.
  /// - Throws: `RenderingError` for formats that cannot be read.
  public init(
    format: PixelFormat, content: ContentInterpretation, sdrWhite: Double = LightLevelAnalyzer.defaultSDRWhite,
    chroma: ChromaUpsampling = .bilinear, dividesFields: Bool = true, black: Double? = nil,
    tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    levels = LightLevelAnalyzer(
      size: format.size, content: content, sdrWhite: sdrWhite, black: black, workers: pool.count)
    renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: format, transfer: content.transfer), trunk: [levels], outputs: [],
      chroma: chroma, dividesFields: dividesFields, tier: tier, pool: pool)
  }

  /// Format of the frames.
  public var format: PixelFormat { renderer.source.format }

  /// Measures the light of `frame`. Concurrent calls are serialized.
  /// - Throws: `RenderingError.formatMismatch` if the frame has another format.
  public func measure(_ frame: CodedFrame) throws(RenderingError) -> FrameLight {
    try turn.withLock { _ throws(RenderingError) in
      try renderer.render(frame, into: [])
      return levels.takeFrame()
    }
  }
}

/// The light of one frame.
public struct FrameLight: Sendable, Hashable {
  /// Frame size in pixels.
  public let size: Size
  /// max(R, G, B) of every pixel.
  public let histogram: LightHistogram
  /// The maximum light of each row and of each column, as half-float bit patterns in the histogram's unit.
  let rowMaxima: [UInt16]
  let columnMaxima: [UInt16]
  /// nil: without bar detection.
  let lines: Lines?

  /// Light of each row and column.
  struct Lines: Sendable, Hashable {
    /// Mean light in cd/m².
    let rowMeans: [Float]
    /// Share of lit samples.
    let rowShares: [Float]
    let columnMeans: [Float]
    let columnShares: [Float]
  }

  /// The maximum light of any pixel in cd/m².
  public var peak: Double { histogram.maximum }
  /// The mean of max(R, G, B) over all pixels in cd/m².
  public var average: Double { histogram.mean }
}

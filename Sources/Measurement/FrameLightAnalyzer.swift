public import Frames
public import Rendering
internal import Synchronization

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

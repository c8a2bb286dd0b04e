internal import ColorScience
public import Frames
public import Rendering

/// Summarizes frames of one format, from rows spread over the picture.
public struct FrameSummarizer: Sendable {
  /// Format of the frames.
  public var format: PixelFormat { renderer.source.format }
  private let renderer: FrameRenderer
  private let grid: GridLight
  private let curve: SceneCurve
  private let scale: SampleScale

  /// Maximum number of rows read.
  private static let mostRows = 270

  /// - Parameters:
  ///   - format: Format of the frames, with all tags specified.
  ///   - pool: Worker threads.
  /// - Throws: `SceneConversionError` for unsupported formats.
  public init(_ format: PixelFormat, pool: WorkerPool) throws(SceneConversionError) {
    curve = try SceneCurve(format.color.transfer)
    guard (8...16).contains(format.layout.bitDepth) else { throw .rendering(.unsupportedSource(format.layout)) }
    scale = SampleScale(bitDepth: format.layout.bitDepth, range: format.color.range)
    grid = GridLight(size: format.size, light: curve.lightOfCarrier())
    do {
      renderer = try FrameRenderer(
        source: FrameRenderer.Endpoint(format: format, transfer: curve.carrier), trunk: [grid], outputs: [],
        chroma: .nearest, dividesFields: false, rowStep: (format.size.height + Self.mostRows - 1) / Self.mostRows,
        pool: pool)
    } catch { throw .rendering(error) }
  }

  /// Returns the summary of a frame; not concurrently.
  /// - Parameters:
  ///   - frame: A frame in `format`.
  ///   - index: Its number in the stream.
  /// - Throws: `SceneConversionError.rendering` if the frame is not in `format`.
  public func summary(of frame: CodedFrame, index: Int) throws(SceneConversionError) -> FrameSummary {
    let isFloat = format.layout.samples == .half
    let top = isFloat ? Float(Float16.greatestFiniteMagnitude) : curve.saturation(scale, frame.metadata)
    do {
      return try grid.summary(index: index, seconds: frame.time.seconds, clippingAt: top) { () throws(RenderingError) in
        try renderer.render(frame, into: [])
      }
    } catch { throw .rendering(error) }
  }
}

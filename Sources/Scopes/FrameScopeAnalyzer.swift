public import Frames
public import Rendering
internal import Synchronization

/// Counts the light of whole frames of one format for scopes, one frame at a time; see `ScopeAnalyzer`.
///
/// Fields of interlaced frames are unpacked separately and counted together. Rows that are not counted are not
/// unpacked, unless the picture is rotated.
public final class FrameScopeAnalyzer: Sendable {
  private let renderer: FrameRenderer
  private let scopes: ScopeAnalyzer
  private let turn = Mutex(())

  /// Creates an analyzer of frames of one format.
  /// - Parameters:
  ///   - format: Format of the frames.
  ///   - content: Interpretation of their code values.
  ///   - sdrWhite: Luminance of SDR white in cd/m², above 0.
  ///   - settings: The counts to collect.
  ///   - orientation: Rotation of the picture before it is counted.
  ///   - tier: Kernels to use, supported by the processor.
  ///   - pool: Worker threads.
  /// - Throws: `RenderingError` for formats that cannot be read.
  public init(
    format: PixelFormat, content: ContentInterpretation, sdrWhite: Double = 100, settings: ScopeSettings,
    orientation: Orientation = .identity, tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    scopes = ScopeAnalyzer(
      size: orientation.rotated(format.size), content: content, sdrWhite: sdrWhite, settings: settings,
      workers: pool.count)
    renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: format, transfer: content.transfer),
      outputs: [FrameRenderer.Output(stages: [scopes], end: .counted, orientation: orientation)],
      rowStep: orientation == .identity ? settings.rowStep : 1, tier: tier, pool: pool)
  }

  /// Format of the frames.
  public var format: PixelFormat { renderer.source.format }

  /// Returns the counts of `frame`. Concurrent calls are serialized.
  /// - Throws: `RenderingError.formatMismatch` if the frame has another format, `interlacedTurn` if it is interlaced
  ///   and would be rotated.
  public func counts(_ frame: CodedFrame) throws(RenderingError) -> ScopeCounts {
    var counts = ScopeCounts(size: renderer.outputs[0].orientation.rotated(format.size), columns: 0)
    try count(frame, into: &counts)
    return counts
  }

  /// Counts `frame`, reusing the memory of another frame's counts.
  /// - Throws: See `counts(_:)`.
  public func count(_ frame: CodedFrame, into counts: inout ScopeCounts) throws(RenderingError) {
    var result = ScopeCounts(size: counts.size, columns: 0)
    swap(&result, &counts)
    defer { counts = result }
    try turn.withLock { _ throws(RenderingError) in
      try renderer.render(frame, into: [.counted])
      scopes.takeCounts(into: &result)
    }
  }
}

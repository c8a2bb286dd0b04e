public import Frames
public import Rendering
internal import Synchronization

/// A stage that counts pixels for scopes and leaves frames unchanged. Place it before the tone mapper.
///
/// Light is display light of the reference display: 1000 cd/m² for HLG, white at `sdrWhite` for SDR. Rows shared by
/// bands are skipped, so that each pixel counts once.
///
/// - Levels are full-range ten-bit PQ of the half floats R, G, B, and of luminance, summed in single precision and
///   rounded to half float.
/// - For Ct and Cp, cone responses are rounded to half float before they are coded.
/// - u' and v' are counted for pixels of at least `ScopeCounts.minimumLuminance` whose components are finite.
public final class ScopeAnalyzer: Stage {
  private let parameters: ScopeParameters
  private let tallies: [ScopeTally]

  /// Creates a stage for pictures of one size.
  /// - Parameters:
  ///   - size: Size of the picture.
  ///   - content: Interpretation of the bands.
  ///   - sdrWhite: Luminance of SDR white in cd/m².
  ///   - settings: The counts to collect.
  ///   - workers: Number of workers of the rendering pool.
  public init(
    size: Size, content: ContentInterpretation, sdrWhite: Double = 100, settings: ScopeSettings, workers: Int
  ) {
    let parameters = ScopeParameters(size: size, content: content, sdrWhite: sdrWhite, settings: settings)
    self.parameters = parameters
    tallies = (0..<workers).map { _ in ScopeTally(parameters) }
  }

  public var leavesLight: Bool { true }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    // A renderer with a row step has already skipped the other rows.
    let step = unsafe band.rowStep == 1 ? parameters.settings.rowStep : 1
    unsafe tallies[worker].count(band, rowStep: step, tier: tier)
  }

  /// Returns and resets the counts since the last call, of at most one picture.
  public func takeCounts() -> ScopeCounts {
    var counts = ScopeCounts(size: parameters.size, columns: parameters.columns)
    takeCounts(into: &counts)
    return counts
  }

  /// Moves the counts since the last call, reusing the memory of earlier counts.
  public func takeCounts(into counts: inout ScopeCounts) {
    if counts.size != parameters.size || counts.columns != parameters.columns {
      counts = ScopeCounts(size: parameters.size, columns: parameters.columns)
    }
    counts.chromaticity = ChromaticityRange()
    for (index, tally) in tallies.enumerated() { tally.move(to: &counts, isFirst: index == 0) }
  }
}

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

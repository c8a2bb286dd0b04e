internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Media
internal import Rendering
internal import ToneMapping

/// Measures the frames that an encoder would get.
final class CodedLightSink: FrameSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses `result` until the run is over.
  private let analyzer: CodedLightAnalyzer
  private(set) var result = CodedLightAnalyzer.Result()

  init(_ format: PixelFormat, tier: KernelTier, pool: WorkerPool) throws {
    let content = try SourcePlan.interpretation(format.color, name: "the output")
    analyzer = try CodedLightAnalyzer(format: format, content: content, tier: tier, pool: pool)
  }

  package func write(_ frame: CodedFrame) throws { result.merge(try analyzer.measure(frame)) }

  /// Only frames are measured.
  func pass(_ data: any PassingData) {}
}

extension Session {
  /// Runs everything but the encoder, to measure the light that will be coded.
  /// - Parameters:
  ///   - format: Format of the frames that `render` makes.
  ///   - limit: Light in cd/m² that no reading of the coded picture exceeds; nil: unbounded.
  ///   - render: Renders as the run will.
  /// - Returns: The light to state.
  /// - Throws: `Cancellation`.
  func measureOutput(
    _ reader: any MediaInput, _ selection: SelectionPlan, _ format: PixelFormat, _ processing: ProcessingRequest,
    pool: WorkerPool, limit: Double?, render: (CodedFrame) throws -> CodedFrame
  ) throws -> ContentLight {
    note("measuring-output", "measuring the light of the coded frames first.")
    let sink = try CodedLightSink(format, tier: processing.kernels, pool: pool)
    let run = Run(reader, selection, to: sink)
    let outcome = try running { try perform(run, render).outcome }
    if outcome == .cancelled { throw Cancellation() }
    let light = sink.result.contentLight.limited(to: limit)
    note("output-light-measured", "MaxCLL and MaxFALL of the coded frames: \(light.text) cd/m².")
    return light
  }
}

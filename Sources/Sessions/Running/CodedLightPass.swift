internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Media
internal import Rendering
internal import ToneMapping

/// Measures the frames on their way to an encoder.
final class CodedLightSink: FrameSink, @unchecked Sendable {
  // @unchecked: only the writing thread uses `result` until the run is over.
  private let analyzer: CodedLightAnalyzer
  private(set) var result = CodedLightAnalyzer.Result()

  init(_ format: PixelFormat, tier: KernelTier, pool: WorkerPool) throws {
    let content = try SourcePlan.interpretation(format.color, name: "the output")
    analyzer = try CodedLightAnalyzer(format: format, content: content, tier: tier, pool: pool)
  }

  package func write(_ frame: CodedFrame) throws { result.merge(try analyzer.measure(frame)) }

  /// Ignores data other than frames.
  func pass(_ data: any PassingData) {}
}

extension Session {
  /// Runs everything but the encoder to measure the coded light.
  /// - Parameters:
  ///   - format: Format of the frames made by `render`.
  ///   - limit: Limit in cd/m² on the light of any decoding of the coded picture; nil: unlimited.
  ///   - render: Renders as in the run.
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

internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Rendering
internal import StreamPipeline
internal import ToneMapping

/// Measures the frames that an encoder would get.
final class CodedLightSink: FrameSink, @unchecked Sendable {
  // @unchecked: the thread that writes is the only one to touch `result` until the run is over.
  private let meter: CodedLightMeter
  private(set) var result = CodedLightMeter.Result()

  init(_ format: PixelFormat, tier: KernelTier, pool: WorkerPool) throws {
    meter = try CodedLightMeter(
      format: format, content: try ContentInterpretation(color: format.color), tier: tier, pool: pool)
  }

  func write(_ frame: CodedFrame) throws { result.merge(try meter.measure(frame)) }

  /// Nothing beside frames is measured.
  func pass(_ data: any PassingData) {}
}

/// A run up to the encoder, to learn what light it will code: the first of the two passes of `--max-cll measure`.
struct CodedLightPass {
  let reader: any MediaInput
  let selection: FrameSelection
  let processing: ProcessingOptions
  let messages: MessageOptions

  /// - Parameters:
  ///   - format: Of the frames that `render` makes.
  ///   - render: Renders as the run itself will.
  /// - Throws: `ExitStatus` when a signal ended the pass.
  func measure(
    _ format: PixelFormat, pool: WorkerPool, render: (CodedFrame) throws -> CodedFrame
  ) throws -> ContentLight {
    if !messages.quiet { Console.note("measuring what will be coded first.") }
    let sink = try CodedLightSink(format, tier: processing.kernels, pool: pool)
    let pipeline = StreamPipeline(source: SelectedMedia(reader, selection, streams: []), sink: sink)
    let interruption = Interruption(first: { pipeline.cancel() }, second: {})
    let reporter = ProgressReporter(
      pipeline: pipeline, kind: messages.progress, total: selection.expectedFrames(of: reader),
      frameRate: reader.video.frameRate?.value)
    reporter.begin()
    let run = Result { try pipeline.run(render) }
    reporter.end()
    let outcome = try run.get()
    if let status = interruption.status { throw status }
    guard outcome == .finished, pipeline.progress.frames > 0 else {
      throw CommandFailure.nothingSelected(of: reader.info.url)
    }
    let light = sink.result.contentLight
    if !messages.quiet { Console.note("MaxCLL and MaxFALL of what will be coded: \(light.text) cd/m².") }
    return light
  }
}

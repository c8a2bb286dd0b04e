internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Rendering
internal import StreamPipeline

/// Measures the selected frames of a reader.
final class MeasureRun {
  private let reader: any MediaInput
  private let selection: FrameSelection
  private let messages: MessageOptions
  private let meter: MeterSink

  init(
    reader: any MediaInput, first: CodedFrame, selection: FrameSelection, input: InputOptions,
    processing: ProcessingOptions, messages: MessageOptions
  ) throws {
    self.reader = reader
    self.selection = selection
    self.messages = messages
    let source = try SourcePlan(frame: first, path: reader.info.url, overrides: input.overrides, use: nil)
    (reader.warnings + source.warnings).forEach(Console.warning)
    if !messages.quiet { (reader.notes + source.notes).forEach(Console.note) }
    meter = try MeterSink(
      first, source, path: reader.info.url, input: input, processing: processing)
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: How the process should end where a signal came; there is no measurement then.
  func run() throws -> ExitStatus? {
    // Frames need no rendering to be measured: the sink does it while the next one is read.
    let pipeline = StreamPipeline(source: SelectedMedia(reader, selection, streams: []), sink: meter)
    let interruption = Interruption(
      first: { pipeline.cancel() }, second: {})
    let reporter = ProgressReporter(
      pipeline: pipeline, kind: messages.progress, total: selection.expectedFrames(of: reader),
      frameRate: reader.video.frameRate?.value)
    reporter.begin()
    let result = Result { try pipeline.run { $0 } }
    reporter.end()
    let outcome = try result.get()
    reader.damage.forEach(Console.warning)
    guard outcome == .finished else {
      Console.note("stopped after \(pipeline.progress.frames) frames; an incomplete measurement is not written.")
      return interruption.status
    }
    if !messages.quiet { Console.note(reporter.summary) }
    return nil
  }

  /// What the frames came to.
  /// - Throws: `CommandFailure` where there was none.
  func measurement(excludesLetterbox: Bool) throws -> ContentMeasurement {
    let result = meter.content.measurement(
      excludesLetterbox: excludesLetterbox, coversFile: selection.isWhole)
    guard let result else { throw CommandFailure.nothingSelected(of: reader.info.url) }
    return result
  }
}

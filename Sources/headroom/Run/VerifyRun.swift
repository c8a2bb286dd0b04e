internal import FFmpegIO
internal import Frames
internal import StreamPipeline
internal import Verification

/// Measures the selected frames of an input that should show a pattern.
final class VerifyRun {
  private let reader: any MediaInput
  private let plan: VerifyPlan
  private let options: VerifyOptions
  private let verifier: Verifier
  private let sink: VerifySink

  init(reader: any MediaInput, first: CodedFrame, plan: VerifyPlan, options: VerifyOptions) throws {
    self.reader = reader
    self.plan = plan
    self.options = options
    // Formats of bare frames have no place for tags.
    let isBare = ["yuv4mpegpipe", "rawvideo"].contains(reader.info.formatName)
    verifier = plan.makeVerifier(options, path: reader.info.url, carriesTags: !isBare)
    sink = try VerifySink(plan, verifier: verifier, first: first, processing: options.processing)
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: What was seen, and how the process should end where a signal came.
  func run() throws -> (Verification, ExitStatus?) {
    let selection = FrameSelection(options.selection)
    let pipeline = StreamPipeline(source: SelectedMedia(reader, selection, streams: []), sink: sink)
    let interruption = Interruption(first: { pipeline.cancel() }, second: {})
    let reporter = ProgressReporter(
      pipeline: pipeline, kind: options.messages.progress, total: selection.expectedFrames(of: reader),
      frameRate: reader.video.frameRate?.value)
    reporter.begin()
    let result = Result { try pipeline.run { $0 } }
    reporter.end()
    _ = try result.get()
    reader.damage.forEach(Console.warning)
    if pipeline.progress.frames == 0, let status = interruption.status { throw status }
    if !options.messages.quiet { Console.note(reporter.summary) }
    guard let verification = verifier.finish() else { throw CommandFailure.nothingSelected(of: reader.info.url) }
    return (verification, interruption.status)
  }
}

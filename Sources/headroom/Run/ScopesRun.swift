internal import FFmpegIO
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Rendering
internal import Scopes
internal import StreamPipeline

/// Draws the scopes of the selected frames.
final class ScopesRun {
  private let reader: any MediaInput
  private let plan: ScopesPlan
  private let options: ScopesOptions
  private let counter: ScopeCounter
  /// From painted pictures to those of the output; nil where they are one.
  private let renderer: FrameRenderer?
  private let painted: CodedFrame
  private let pool: FramePool
  private var frames = 0

  init(reader: any MediaInput, first: CodedFrame, plan: ScopesPlan, options: ScopesOptions) throws {
    self.reader = reader
    self.plan = plan
    self.options = options
    let workers = WorkerPool(count: options.processing.threads)
    counter = try ScopeCounter(
      plan, first: first, sdrWhite: options.sdrWhite, processing: options.processing, pool: workers)
    let format = ScopePainter.format(plan.painter.layout.size)
    painted = CodedFrame(size: format.size, layout: format.layout, color: format.color)
    pool = FramePool(plan.target.format)
    renderer =
      plan.target.format == format
      ? nil
      : try FrameRenderer(
        source: FrameRenderer.Endpoint(format: format, transfer: .sRGB(peak: 1)), stages: [], target: plan.target,
        dither: false, tier: options.processing.kernels, pool: workers)
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: How the process should end where a signal came; what is there is complete.
  func run() throws -> ExitStatus? {
    let data = try options.data.map { try OpenOutputFile($0, replaces: options.overwrite) }
    // Nothing is left of what does not come to its end.
    defer { data?.discard() }
    let status: ExitStatus?
    switch plan.form {
    case .video(let settings):
      let writer = try MediaWriter(settings)
      status = try run(writer, RunEnding(writer), data)
    case .pictures(let names, let format):
      var settings = ImageFileWriter.Settings(names: names, encoder: format.encoder())
      settings.replacesFiles = options.overwrite
      settings.firstNumber = plan.selection.range?.first ?? 0
      settings.threads = options.processing.threadCount
      let writer = try ImageFileWriter(settings)
      status = try run(writer, RunEnding(writer), data)
    }
    try data?.commit()
    return status
  }

  private func run(_ sink: any FrameSink, _ ending: RunEnding, _ data: OpenOutputFile?) throws -> ExitStatus? {
    let pipeline = StreamPipeline(source: SelectedMedia(reader, plan.selection, streams: []), sink: sink)
    let interruption = Interruption(
      first: { pipeline.cancel() },
      second: { [file = data?.file, discard = ending.discard] in
        file?.discard()
        discard()
      })
    let reporter = ProgressReporter(
      pipeline: pipeline, size: ending.size, kind: options.messages.progress,
      total: plan.selection.expectedFrames(of: reader),
      frameRate: reader.video.frameRate?.value)
    reporter.begin()
    do {
      let outcome = try pipeline.run { frame in try draw(frame, data) }
      if pipeline.progress.frames > 0 {
        try ending.finish()
      } else if outcome == .finished {
        throw CommandFailure.nothingSelected(of: reader.info.url)
      } else {
        ending.cancel()
      }
      reporter.end()
    } catch {
      reporter.end()
      ending.cancel()
      throw error
    }
    reader.damage.forEach(Console.warning)
    if !options.messages.quiet { Console.note(reporter.summary) }
    return interruption.status
  }

  private func draw(_ frame: CodedFrame, _ data: OpenOutputFile?) throws -> CodedFrame {
    try counter.count(frame)
    if let data {
      let kinds = plan.painter.layout.kinds
      try data.write(
        line: ScopeReport(counter.counts, kinds, plan.settings.plane, frame: frames, time: frame.time).line)
    }
    frames += 1
    let result = pool.frame(time: frame.time, metadata: HDRMetadata())
    guard let renderer else {
      plan.painter.paint(counter.counts, into: result)
      return result
    }
    plan.painter.paint(counter.counts, into: painted)
    try renderer.render(painted, into: result)
    return result
  }
}

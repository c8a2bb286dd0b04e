internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Rendering
internal import StreamPipeline

/// Carries out a plan of pictures.
final class DumpRun {
  private let reader: any MediaInput
  private let plan: DumpPlan
  private let writer: ImageFileWriter.Settings
  /// nil where frames go as they are.
  private let renderer: (first: StreamRenderer, pool: FramePool)?
  private let decoder: (renderer: FrameRenderer, pool: FramePool)?
  private let limiter: PeakLimiter?
  private let statistics: StatisticsReport?
  private let workers: WorkerPool

  init(reader: any MediaInput, first: CodedFrame, plan: DumpPlan) throws {
    self.reader = reader
    self.plan = plan
    let (request, rendering) = (plan.request, plan.rendering)
    let pool = WorkerPool(count: request.rendering.processing.threads)
    workers = pool
    let path = reader.info.url
    let statistics = request.stats.map { StatisticsReport($0, replaces: request.overwrites) }
    self.statistics = statistics
    renderer = try rendering.target.map { target in
      let renderer = try StreamRenderer(
        plan, first: first, path: path, target: target, statistics: statistics, pool: pool)
      return (renderer, FramePool(target.endpoint.format))
    }
    decoder = try rendering.decoding.map { decoding in
      let renderer = try FrameRenderer(
        source: decoding.source, stages: decoding.stages, target: decoding.target, dither: request.rendering.dither,
        tier: request.rendering.processing.kernels, pool: pool)
      return (renderer, FramePool(decoding.target.format))
    }
    limiter = try rendering.decoding.flatMap { decoding in
      guard let limit = rendering.limit, decoding.target.format.layout.samples == .integer,
        case .pq = decoding.target.transfer
      else { return nil }
      return try PeakLimiter(format: decoding.target.format, peak: limit)
    }
    writer = try plan.writerSettings(first: first, video: reader.video)
  }

  /// The light of the pictures, in a pass over all of them.
  /// - Throws: `ExitStatus` when a signal ended it.
  func measure() throws -> ContentLight {
    let request = plan.request
    let pass = CodedLightPass(
      reader: reader, selection: request.selection, processing: request.rendering.processing,
      messages: request.messages)
    let format = plan.rendering.decoding?.target.format ?? plan.rendering.target?.endpoint.format
    guard let format else {
      throw CommandFailure("--max-cll measure is for pictures that are rendered: leave it out.", .usage)
    }
    return try pass.measure(format, pool: workers, render: render)
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: How the process should end; the pictures that are there are complete either way.
  func run() throws -> ExitStatus? {
    try statistics?.begin()
    // Nothing is left of what does not come to its end.
    defer { statistics?.discard() }
    let writer = try ImageFileWriter(writer)
    let pipeline = StreamPipeline(source: SelectedMedia(reader, plan.request.selection, streams: []), sink: writer)
    let interruption = Interruption(
      first: {
        pipeline.cancel()
        Console.note("stopping: what was read is finished. A second signal stops at once and discards what is not.")
      },
      second: { [lines = statistics?.unfinished] in
        lines?.discard()
        writer.discardFiles()
      })
    let messages = plan.request.messages
    let reporter = ProgressReporter(
      pipeline: pipeline, size: { writer.bytesWritten }, kind: messages.progress,
      total: plan.request.selection.expectedFrames(of: reader),
      frameRate: reader.video.frameRate?.value)
    reporter.begin()
    do {
      let outcome = try pipeline.run(render)
      if pipeline.progress.frames > 0 {
        try writer.finish()
      } else if outcome == .finished {
        throw CommandFailure.nothingSelected(of: reader.info.url)
      } else {
        writer.cancel()
      }
      reporter.end()
      try statistics?.finish()
    } catch {
      reporter.end()
      // What came before an error of the input is still put in place.
      if pipeline.progress.frames > 0, plan.request.names.hasNumber { try? writer.finish() }
      writer.cancel()
      throw error
    }
    reader.damage.forEach(Console.warning)
    if !messages.quiet { Console.note(reporter.summary) }
    return interruption.status
  }

  private func render(_ frame: CodedFrame) throws -> CodedFrame {
    guard let renderer else { return frame }
    let metadata = plan.rendering.metadata
    let result = renderer.pool.frame(time: frame.time, metadata: metadata, fieldOrder: frame.fieldOrder)
    try renderer.first.render(frame, into: result)
    guard let decoder else { return result }
    let picture = decoder.pool.frame(time: frame.time, metadata: metadata, fieldOrder: frame.fieldOrder)
    try decoder.renderer.render(result, into: picture)
    limiter?.limit(picture, pool: workers)
    return picture
  }
}

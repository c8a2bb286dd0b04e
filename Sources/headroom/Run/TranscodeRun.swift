internal import ColorScience
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Measurement
internal import Rendering
internal import StreamPipeline
internal import ToneMapping

/// Carries out a plan.
final class TranscodeRun {
  private let reader: MediaReader
  private let plan: TranscodePlan
  private let options: TranscodeOptions
  private let pool: WorkerPool
  private var source: SourcePlan
  private var target: TargetPlan
  private var scenes: SceneTracker?
  private var renderers: SceneRenderers
  /// Tags of the frames that `renderers` are made for, before overrides.
  private var taggedFormat: PixelFormat
  /// It was said that interlaced pictures are not marked.
  private var hasSaidFields = false
  /// What the frames before mapping come to, where a report is asked for.
  private var meter: LightMeter?
  private let start = ContinuousClock.now
  /// The report of a failure is written.
  private(set) var hasReported = false

  init(reader: MediaReader, first: CodedFrame, plan: TranscodePlan, options: TranscodeOptions) throws {
    self.reader = reader
    self.plan = plan
    self.options = options
    pool = WorkerPool(count: options.rendering.processing.threads)
    (source, target) = (plan.source, plan.target)
    // The plan has looked at the first frame, which need not be among those that are rendered.
    scenes = plan.source.scenes?.restarted()
    taggedFormat = first.format
    renderers = SceneRenderers()
    if options.output.report != nil {
      meter = LightMeter(
        width: max(plan.writer.size.width, first.size.width), content: source.interpretation,
        sdrWhite: target.display.sdrWhite, gamut: target.display.primaries.space, workers: pool.count)
    }
    // What cannot be rendered is refused before there is an output.
    _ = try renderers.renderer(for: source.scene) { try makeRenderer(first, source.scene) }
  }

  /// The renderer for the scene of a frame.
  private func renderer(for frame: CodedFrame) throws -> FrameRenderer {
    let scene = scenes == nil ? source.scene : scenes?.parameters(for: frame.metadata)
    scenes?.takeIgnored().forEach { Console.warning("Ignored: \($0).") }
    return try renderers.renderer(for: scene) { try makeRenderer(frame, scene) }
  }

  private func makeRenderer(_ frame: CodedFrame, _ scene: SceneParameters?) throws -> FrameRenderer {
    try FrameRenderer(
      source: FrameRenderer.Endpoint(
        format: PixelFormat(size: frame.size, layout: frame.layout, color: source.color),
        transfer: source.interpretation.transfer),
      stages: (meter.map { [$0] } ?? []) + target.stages(for: scene),
      target: FrameRenderer.Endpoint(
        format: PixelFormat(size: plan.writer.size, layout: plan.writer.layout, color: target.color),
        transfer: target.transfer),
      orientation: plan.geometry.orientation, dither: options.rendering.dither,
      tier: options.rendering.processing.kernels, pool: pool)
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: How the process should end; the output is complete either way.
  func run() throws -> ExitStatus? {
    let file = try options.output.report.flatMap { try $0 == "-" ? nil : OutputFile(textAt: $0) }
    let writer = try MediaWriter(plan.writer)
    let pipeline = StreamPipeline(source: SelectedMedia(reader, plan.selection, streams: plan.passed), sink: writer)
    let interruption = Interruption(
      first: {
        pipeline.cancel()
        Console.note("stopping: what was read is finished. A second signal stops at once and discards the output.")
      }, second: { writer.discardFile() })
    var losses: [String] = []
    let reporter = ProgressReporter(
      pipeline: pipeline, size: { writer.bytesWritten }, kind: options.output.messages.progress,
      total: plan.selection.expectedFrames(of: reader), frameRate: plan.writer.frameRate?.value)
    reporter.begin()
    do {
      let outcome = try pipeline.run { frame in try render(frame, writer) }
      if pipeline.progress.frames > 0 {
        losses = try writer.finish()
      } else if outcome == .finished {
        throw CommandFailure.nothingSelected(of: reader.info.url)
      } else {
        // Interrupted before there was anything to keep.
        writer.cancel()
      }
      reporter.end()
    } catch {
      reporter.end()
      writer.cancel()
      // The reason goes before one of the report's.
      let failed = report(.failed, pipeline.progress, writer, error: CommandFailure(error).message)
      hasReported = (try? write(failed, to: file)) != nil
      throw error
    }
    losses.forEach(Console.warning)
    conclude(reporter, writer)
    let status = interruption.status
    try write(report(status == nil ? .finished : .interrupted, pipeline.progress, writer, losses: losses), to: file)
    return status
  }

  private func report(
    _ status: RunReport.Status, _ progress: StreamPipeline.Progress, _ writer: MediaWriter, error: String? = nil,
    losses: [String] = []
  ) -> RunReport {
    RunReport(
      status: status, error: error, reader: reader, plan: plan, options: options,
      written: (writer.formatName, writer.encoderName, writer.bytesWritten, writer.movedFrames), progress: progress,
      seconds: (ContinuousClock.now - start) / .seconds(1), light: meter?.result, losses: losses)
  }

  /// Writes the report where one is asked for.
  private func write(_ report: RunReport, to file: OutputFile?) throws {
    guard options.output.report != nil else { return }
    let text = try report.json()
    if let file { try file.write(text + "\n") } else { try Console.result(text) }
  }

  private func render(_ frame: CodedFrame, _ writer: MediaWriter) throws -> CodedFrame {
    if frame.format != taggedFormat { try adapt(to: frame) }
    if frame.fieldOrder != nil, plan.writer.fieldOrder == nil, !hasSaidFields {
      Console.warning("Pictures become interlaced in the middle, where the output was begun as progressive.")
      hasSaidFields = true
    }
    let renderer = try renderer(for: frame)
    let result = try writer.makeFrame(time: frame.time, fieldOrder: frame.fieldOrder)
    try renderer.render(frame.described(as: renderer.source.format.color), into: result)
    return result
  }

  /// The stream has changed in the middle: other tags are followed, another size cannot be.
  private func adapt(to frame: CodedFrame) throws {
    guard plan.geometry.orientation.turned(frame.size) == plan.writer.size else {
      throw RenderingError.formatMismatch(expected: taggedFormat, actual: frame.format)
    }
    source = try SourcePlan(
      frame: frame, path: reader.info.url, overrides: options.source.overrides, use: options.sceneUse,
      measured: plan.measured)
    Console.warning("The video changes in the middle: now \(source.color.words).")
    source.warnings.forEach(Console.warning)
    target = try TargetPlan(source, options: options.mapping, asked: options.metadata)
    target.color = plan.target.color
    scenes = source.scenes?.restarted()
    renderers = SceneRenderers()
    // Light of another kind cannot be added to what was counted.
    meter = nil
    taggedFormat = frame.format
  }

  private func conclude(_ reporter: ProgressReporter, _ writer: MediaWriter) {
    reader.damage.forEach(Console.warning)
    if writer.movedFrames > 0 {
      Console.warning(
        "\(writer.movedFrames) frames or packets had a time that was not after the one before; they were moved.")
    }
    if !options.output.messages.quiet { Console.note(reporter.summary) }
  }
}

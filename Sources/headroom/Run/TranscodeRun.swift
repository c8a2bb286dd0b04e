internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Rendering
internal import StreamPipeline
internal import ToneMapping

/// Carries out a plan.
final class TranscodeRun {
  private let reader: MediaReader
  private let plan: TranscodePlan
  private let input: InputOptions
  private let mapping: MappingOptions
  private let metadata: MetadataOptions
  private let pool: WorkerPool
  private var source: SourcePlan
  private var target: TargetPlan
  private var scenes: SceneTracker?
  private var renderers: SceneRenderers
  /// Tags of the frames that `renderers` are made for, before overrides.
  private var taggedFormat: PixelFormat
  /// It was said that interlaced pictures are not marked.
  private var hasSaidFields = false

  init(
    reader: MediaReader, first: CodedFrame, plan: TranscodePlan, input: InputOptions, mapping: MappingOptions,
    metadata: MetadataOptions
  ) throws {
    self.reader = reader
    self.plan = plan
    self.input = input
    self.mapping = mapping
    self.metadata = metadata
    pool = WorkerPool(count: mapping.processing.threads)
    (source, target) = (plan.source, plan.target)
    // The plan has looked at the first frame, which need not be among those that are rendered.
    scenes = plan.source.scenes?.restarted()
    taggedFormat = first.format
    renderers = SceneRenderers()
    // What cannot be rendered is refused before there is an output.
    _ = try renderers.renderer(for: source.scene) { try makeRenderer(first, source.scene) }
  }

  /// The renderer for the scene of a frame.
  private func renderer(for frame: CodedFrame) throws -> FrameRenderer {
    let scene = scenes?.parameters(for: frame.metadata)
    scenes?.takeIgnored().forEach { Console.warning("Ignored: \($0).") }
    return try renderers.renderer(for: scene) { try makeRenderer(frame, scene) }
  }

  private func makeRenderer(_ frame: CodedFrame, _ scene: SceneParameters?) throws -> FrameRenderer {
    try FrameRenderer(
      source: FrameRenderer.Endpoint(
        format: PixelFormat(size: frame.size, layout: frame.layout, color: source.color),
        transfer: source.interpretation.transfer),
      stages: target.stages(for: scene),
      target: FrameRenderer.Endpoint(
        format: PixelFormat(size: plan.writer.size, layout: plan.writer.layout, color: target.color),
        transfer: target.transfer),
      orientation: plan.geometry.orientation, dither: mapping.dither, tier: mapping.processing.kernels, pool: pool)
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: How the process should end; the output is complete either way.
  func run(_ messages: MessageOptions) throws -> ExitStatus? {
    let writer = try MediaWriter(plan.writer)
    let pipeline = StreamPipeline(source: SelectedMedia(reader, plan.selection, streams: plan.passed), sink: writer)
    let interruption = Interruption(
      first: { [reader] in
        pipeline.cancel()
        reader.interrupt()
        Console.note("stopping: what was read is finished. A second signal stops at once and discards the output.")
      }, second: { writer.discardFile() })
    var losses: [String] = []
    let reporter = ProgressReporter(
      pipeline: pipeline, size: { writer.bytesWritten }, kind: messages.progress,
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
      throw error
    }
    losses.forEach(Console.warning)
    report(reporter, writer, isQuiet: messages.quiet)
    return interruption.status
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
    source = try SourcePlan(frame: frame, path: reader.info.url, options: input, use: mapping.sceneUse)
    Console.warning("The video changes in the middle: now \(source.color.words).")
    source.warnings.forEach(Console.warning)
    target = try TargetPlan(source, options: mapping, asked: metadata)
    target.color = plan.target.color
    scenes = source.scenes?.restarted()
    renderers = SceneRenderers()
    taggedFormat = frame.format
  }

  private func report(_ reporter: ProgressReporter, _ writer: MediaWriter, isQuiet: Bool) {
    reader.damage.forEach(Console.warning)
    if writer.movedFrames > 0 {
      Console.warning(
        "\(writer.movedFrames) frames or packets had a time that was not after the one before; they were moved.")
    }
    if !isQuiet { Console.note(reporter.summary) }
  }
}

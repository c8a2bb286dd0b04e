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
  private let pool: WorkerPool
  private var source: SourcePlan
  private var target: TargetPlan
  private var scenes: SceneTracker?
  private var renderers: SceneRenderers
  /// Tags of the frames that `renderers` are made for, before overrides.
  private var taggedFormat: PixelFormat

  init(
    reader: MediaReader, first: CodedFrame, plan: TranscodePlan, input: InputOptions, mapping: MappingOptions
  ) throws {
    self.reader = reader
    self.plan = plan
    self.input = input
    self.mapping = mapping
    pool = WorkerPool(count: mapping.threads)
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
        format: PixelFormat(size: frame.size, layout: plan.writer.layout, color: target.color),
        transfer: target.transfer),
      dither: mapping.dither, tier: mapping.kernels, pool: pool)
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: How the process should end; the output is complete either way.
  func run(progress: OutputOptions.ProgressKind, isQuiet: Bool) throws -> ExitStatus? {
    let writer = try MediaWriter(plan.writer)
    let pipeline = StreamPipeline(source: SelectedFrames(reader, plan.selection), sink: writer)
    let interruption = Interruption(
      first: {
        pipeline.cancel()
        Console.note("stopping: what was read is finished. A second signal stops at once and discards the output.")
      }, second: { writer.discardFile() })
    let reporter = ProgressReporter(
      pipeline: pipeline, writer: writer, kind: isQuiet && progress == .line ? .none : progress, total: expectedFrames,
      frameRate: plan.writer.frameRate?.value)
    reporter.begin()
    do {
      let outcome = try pipeline.run { frame in try render(frame, writer) }
      if pipeline.progress.frames > 0 {
        try writer.finish()
      } else if outcome == .finished {
        throw CommandFailure("No frame of '\(reader.info.url)' lies in the selected range: check --start and --frames.")
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
    report(reporter, writer, isQuiet: isQuiet)
    return interruption.status
  }

  private func render(_ frame: CodedFrame, _ writer: MediaWriter) throws -> CodedFrame {
    if frame.format != taggedFormat { try adapt(to: frame) }
    let renderer = try renderer(for: frame)
    let result = try writer.makeFrame(time: frame.time)
    try renderer.render(frame.described(as: renderer.source.format.color), into: result)
    return result
  }

  /// The stream has changed in the middle: other tags are followed, another size cannot be.
  private func adapt(to frame: CodedFrame) throws {
    guard frame.size == plan.writer.size else {
      throw RenderingError.formatMismatch(expected: taggedFormat, actual: frame.format)
    }
    source = try SourcePlan(
      frame: frame, video: reader.video, path: reader.info.url, options: input, use: mapping.sceneUse)
    Console.warning("The video changes in the middle: now \(source.color.words).")
    source.warnings.forEach(Console.warning)
    target = try TargetPlan(source, options: mapping)
    target.color = plan.target.color
    scenes = source.scenes?.restarted()
    renderers = SceneRenderers()
    taggedFormat = frame.format
  }

  /// Frames that will come, as far as the container tells.
  private var expectedFrames: Int? {
    let stream = reader.info.streams.first { $0.index == reader.video.index }
    let rate = plan.writer.frameRate?.value
    let seconds = stream?.seconds ?? reader.info.duration
    guard
      var total = stream?.frameCount
        ?? rate.flatMap({ rate in seconds.map { Int(exactly: ($0 * rate).rounded()) ?? 0 } })
    else { return nil }
    if let range = plan.selection.range { total = min(range.last.map { $0 + 1 } ?? total, total) - range.first }
    if let rate, let start = plan.selection.start { total -= Int(start * rate) }
    if let rate, let duration = plan.selection.duration { total = min(total, Int((duration * rate).rounded(.up))) }
    return total > 0 ? total : nil
  }

  private func report(_ reporter: ProgressReporter, _ writer: MediaWriter, isQuiet: Bool) {
    let statistics = reader.statistics
    if statistics.decodeErrors > 0 || statistics.damagedFrames > 0 {
      Console.warning(
        "'\(reader.info.url)' is damaged: \(statistics.decodeErrors) packets could not be decoded, "
          + "\(statistics.damagedFrames) frames are concealed.")
    }
    if statistics.ignoredToneMaps > 0 {
      let reason = statistics.ignoredReason.map { ": \($0)" } ?? ""
      Console.warning("Ignored: ST 2094-50 metadata of \(statistics.ignoredToneMaps) packets\(reason).")
    }
    if writer.movedFrames > 0 {
      Console.warning("\(writer.movedFrames) frames had a time that was not after the one before; they were moved.")
    }
    if !isQuiet { Console.note(reporter.summary) }
  }
}

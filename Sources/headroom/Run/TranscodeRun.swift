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
  private var renderer: FrameRenderer
  /// Tags of the frames that `renderer` was made for, before overrides.
  private var taggedFormat: PixelFormat

  init(
    reader: MediaReader, first: CodedFrame, plan: TranscodePlan, input: InputOptions, mapping: MappingOptions
  ) throws {
    self.reader = reader
    self.plan = plan
    self.input = input
    self.mapping = mapping
    pool = WorkerPool(count: mapping.processing.threads)
    renderer = try Self.renderer(first, plan.source, plan.target, plan.writer.layout, mapping, pool)
    taggedFormat = first.format
  }

  private static func renderer(
    _ frame: CodedFrame, _ source: SourcePlan, _ target: TargetPlan, _ layout: PixelLayout, _ mapping: MappingOptions,
    _ pool: WorkerPool
  ) throws -> FrameRenderer {
    try FrameRenderer(
      source: FrameRenderer.Endpoint(
        format: PixelFormat(size: frame.size, layout: frame.layout, color: source.color),
        transfer: source.interpretation.transfer),
      stages: target.stages,
      target: FrameRenderer.Endpoint(
        format: PixelFormat(size: frame.size, layout: layout, color: target.color), transfer: target.transfer),
      dither: mapping.dither, tier: mapping.processing.kernels, pool: pool)
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: How the process should end; the output is complete either way.
  func run(_ messages: MessageOptions) throws -> ExitStatus? {
    let writer = try MediaWriter(plan.writer)
    let pipeline = StreamPipeline(source: SelectedFrames(reader, plan.selection), sink: writer)
    let interruption = Interruption(
      first: {
        pipeline.cancel()
        Console.note("stopping: what was read is finished. A second signal stops at once and discards the output.")
      }, second: { writer.discardFile() })
    let reporter = ProgressReporter(
      pipeline: pipeline, size: { writer.bytesWritten }, kind: messages.progress,
      total: plan.selection.expectedFrames(of: reader), frameRate: plan.writer.frameRate?.value)
    reporter.begin()
    do {
      let outcome = try pipeline.run { frame in try render(frame, writer) }
      if pipeline.progress.frames > 0 {
        try writer.finish()
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
    report(reporter, writer, isQuiet: messages.quiet)
    return interruption.status
  }

  private func render(_ frame: CodedFrame, _ writer: MediaWriter) throws -> CodedFrame {
    if frame.format != taggedFormat { try adapt(to: frame) }
    let result = try writer.makeFrame(time: frame.time)
    try renderer.render(frame.described(as: renderer.source.format.color), into: result)
    return result
  }

  /// The stream has changed in the middle: other tags are followed, another size cannot be.
  private func adapt(to frame: CodedFrame) throws {
    guard frame.size == plan.writer.size else {
      throw RenderingError.formatMismatch(expected: taggedFormat, actual: frame.format)
    }
    let source = try SourcePlan(frame: frame, video: reader.video, path: reader.info.url, options: input)
    Console.warning("The video changes in the middle: now \(source.color.words).")
    source.warnings.forEach(Console.warning)
    var target = try TargetPlan(source, options: mapping)
    target.color = plan.target.color
    renderer = try Self.renderer(frame, source, target, plan.writer.layout, mapping, pool)
    taggedFormat = frame.format
  }

  private func report(_ reporter: ProgressReporter, _ writer: MediaWriter, isQuiet: Bool) {
    if let damage = reader.damage { Console.warning(damage) }
    if writer.movedFrames > 0 {
      Console.warning("\(writer.movedFrames) frames had a time that was not after the one before; they were moved.")
    }
    if !isQuiet { Console.note(reporter.summary) }
  }
}

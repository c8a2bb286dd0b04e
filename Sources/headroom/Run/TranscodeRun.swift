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
  private let reader: any MediaInput
  private let plan: TranscodePlan
  private let options: TranscodeOptions
  private let renderer: StreamRenderer
  private let statistics: StatisticsReport?
  private let codedLight: CodedLightSink?
  /// It was said that interlaced pictures are not marked.
  private var hasSaidFields = false
  /// Static metadata of the first frame, until it was said that another's differs.
  private var stated: HDRMetadata?
  private let start = ContinuousClock.now
  /// The report of a failure is written.
  private(set) var hasReported = false

  init(reader: any MediaInput, first: CodedFrame, plan: TranscodePlan, options: TranscodeOptions) throws {
    self.reader = reader
    self.plan = plan
    self.options = options
    stated = first.metadata
    let pool = WorkerPool(count: options.rendering.processing.threads)
    var meter: LightMeter?
    if options.output.report != nil {
      meter = LightMeter(
        width: max(plan.writer.size.width, first.size.width), content: plan.source.interpretation,
        sdrWhite: plan.target.display.sdrWhite, gamut: plan.target.display.primaries.space, workers: pool.count)
    }
    let isCounted = options.output.report != nil || options.filters.stats != nil
    statistics = isCounted ? StatisticsReport(options.filters.stats, replaces: options.output.overwrite) : nil
    renderer = try StreamRenderer(
      plan, first: first, path: reader.info.url, options: options, meter: meter, statistics: statistics, pool: pool)
    // What a report says of the coded light is measured frame by frame.
    codedLight =
      options.output.report != nil && plan.target.color.transfer == .pq
      ? try CodedLightSink(plan.codedFormat, tier: options.rendering.processing.kernels, pool: pool) : nil
  }

  /// Runs to the end, or to the first signal.
  /// - Returns: How the process should end; the output is complete either way.
  func run() throws -> ExitStatus? {
    let file = try options.output.report.flatMap {
      try $0 == "-" ? nil : OutputFile(wholeFileAt: $0, replaces: options.output.overwrite)
    }
    try statistics?.begin()
    // Nothing is left of what does not come to its end.
    defer { statistics?.discard() }
    let writer = try MediaWriter(plan.writer)
    let pipeline = StreamPipeline(source: SelectedMedia(reader, plan.selection, streams: plan.passed), sink: writer)
    let interruption = Interruption(
      first: {
        pipeline.cancel()
        Console.note("stopping: what was read is finished. A second signal stops at once and discards the output.")
      },
      second: { [lines = statistics?.unfinished] in
        lines?.discard()
        writer.discardFile()
      })
    var ending = MediaWriter.Ending()
    let reporter = ProgressReporter(
      pipeline: pipeline, size: { writer.bytesWritten }, kind: options.output.messages.progress,
      total: plan.selection.expectedFrames(of: reader), frameRate: plan.writer.frameRate?.value)
    reporter.begin()
    do {
      let outcome = try pipeline.run { frame in try render(frame, writer) }
      if pipeline.progress.frames > 0 {
        ending = try writer.finish()
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
    ending.losses.forEach(Console.warning)
    conclude(reporter, writer)
    try statistics?.finish()
    let status = interruption.status
    // The film is there; that it is not whole, or that the input has more, is no less of a failure.
    var failure = ending.failure(of: plan.writer.url).map(CommandFailure.init)
    do {
      if status == nil { try reader.checkEnding(of: plan.selection) }
    } catch {
      failure = failure ?? CommandFailure(error)
    }
    let made = report(
      failure != nil ? .failed : status == nil ? .finished : .interrupted, pipeline.progress, writer,
      error: failure?.message, losses: ending.losses)
    try write(made, to: file)
    hasReported = true
    if let failure { throw failure }
    return status
  }

  private func report(
    _ status: RunReport.Status, _ progress: StreamPipeline.Progress, _ writer: MediaWriter, error: String? = nil,
    losses: [String] = []
  ) -> RunReport {
    RunReport(
      status: status, error: error, reader: reader, plan: plan, options: options,
      written: (writer.formatName, writer.encoderName, writer.bytesWritten, writer.movedFrames), progress: progress,
      seconds: (ContinuousClock.now - start) / .seconds(1), light: renderer.light,
      codedLight: codedLight?.result, colors: statistics?.sum,
      losses: losses)
  }

  /// Writes the report where one is asked for.
  private func write(_ report: RunReport, to file: OutputFile?) throws {
    guard options.output.report != nil else { return }
    let text = try report.json()
    if let file { try file.write(text + "\n") } else { try Console.result(text) }
  }

  private func render(_ frame: CodedFrame, _ writer: MediaWriter) throws -> CodedFrame {
    if frame.fieldOrder != nil, plan.writer.fieldOrder == nil, !hasSaidFields {
      Console.warning("Pictures become interlaced in the middle, where the output was begun as progressive.")
      hasSaidFields = true
    }
    noteChange(frame)
    let result = try writer.makeFrame(time: frame.time, fieldOrder: frame.fieldOrder)
    try renderer.render(frame, into: result)
    try codedLight?.write(result)
    return result
  }

  /// The output has one mastering display and one MaxCLL: those of its first frame, or what follows from them.
  private func noteChange(_ frame: CodedFrame) {
    guard let stated, plan.target.color.transfer == .pq || plan.source.interpretation.metadata != nil,
      frame.metadata.masteringDisplay != stated.masteringDisplay || frame.metadata.contentLight != stated.contentLight
    else { return }
    Console.warning(
      "The input's mastering display or MaxCLL changes within it, by the frame at "
        + "\(((frame.time.seconds * 100).rounded() / 100).words) s at the latest: all is processed by those that it begins "
        + "with. Cut it there with --start and --duration.")
    self.stated = nil
  }

  private func conclude(_ reporter: ProgressReporter, _ writer: MediaWriter) {
    reader.damage.forEach(Console.warning)
    if writer.movedFrames > 0 {
      Console.warning(
        "\(writer.movedFrames) frames or packets had a time that was not after the one before; they were moved.")
    }
    if writer.largestShift > Self.largestRounding {
      let rate = plan.writer.frameRate.map { ", \((($0.value * 1000).rounded() / 1000).words) a second" } ?? ""
      Console.warning(
        "Frames were moved by up to \(Int((writer.largestShift * 1000).rounded())) ms: the output counts frames\(rate)."
      )
    }
    if !options.output.messages.quiet { Console.note(reporter.summary) }
  }

  /// Shifts of frames by less, in seconds, are nothing to tell: containers that count milliseconds have them all.
  private static let largestRounding = 0.002
}

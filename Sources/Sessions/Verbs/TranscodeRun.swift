internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Media
internal import Rendering
internal import ToneMapping

/// Runs a transcode.
final class TranscodeRun {
  private let session: Session
  private let plan: TranscodePlan
  private let reader: any MediaInput
  private let renderer: StreamRenderer
  private let statistics: StatisticsFile?
  private let codedLight: CodedLightSink?
  /// The warning that interlaced pictures are not marked was given.
  private var hasSaidFields = false
  /// Static metadata of the first frame, until a change was reported.
  private var stated: HDRMetadata?
  private let start = ContinuousClock.now

  init(_ session: Session, _ plan: TranscodePlan, _ input: Session.OpenedInput) throws {
    (self.session, self.plan, reader) = (session, plan, input.reader)
    let request = plan.request
    stated = input.first.metadata
    let pool = WorkerPool(count: request.processing.threads)
    let levels = request.report.map { _ in
      LightLevelAnalyzer(
        size: Size(
          width: max(plan.video.size.width, input.first.size.width),
          height: max(plan.video.size.height, input.first.size.height)),
        content: plan.source.interpretation, sdrWhite: plan.target.display.sdrWhite,
        gamut: plan.target.display.primaries.space, workers: pool.count)
    }
    let isCounted = request.report != nil || request.statistics != nil
    statistics = isCounted ? StatisticsFile(request.statistics, replaces: request.overwrites) : nil
    renderer = try StreamRenderer(session, plan, input, levels: levels, statistics: statistics, pool: pool)
    // The coded light of a report is measured frame by frame.
    codedLight =
      request.report != nil && plan.target.color.transfer == .pq
      ? try CodedLightSink(plan.video.pixelFormat, tier: request.processing.kernels, pool: pool) : nil
  }

  func run() throws -> Session.Outcome {
    let request = plan.request
    let file = try request.report.flatMap {
      try $0 == "-" ? nil : OutputFile($0, replaces: request.overwrites)
    }
    try statistics?.begin()
    // Nothing unfinished is left behind.
    defer { statistics?.discard() }
    let writer = try MediaWriter(plan.video.settings(streams: plan.streams.outputStreams(of: reader)))
    let discards: [@Sendable () -> Void] = [{ writer.discard() }] + (statistics?.discards ?? [])
    return try session.running(discards: discards) { try run(writer, reportingTo: file) }
  }

  private func run(_ writer: MediaWriter, reportingTo file: OutputFile?) throws -> Session.Outcome {
    var run = Session.Run(reader, plan.selection, passed: plan.streams.passed, to: writer)
    run.frameRate = plan.video.frameRate?.value
    var report = TranscodeReport(plan, reader, writer, session.wording)
    let done: Session.RunResult
    do {
      done = try session.perform(run) { frame in try render(frame, writer) }
    } catch {
      report.seconds = (ContinuousClock.now - start) / .seconds(1)
      report.error = error
      // The original error takes precedence over one of the report.
      let isWritten = (try? report.write(to: file)) != nil
      throw isWritten ? ReportedFailure(error) : error
    }
    session.warn(done.losses.diagnostics)
    conclude(done.progress, writer)
    let isCancelled = session.isCancelled
    // The output exists, but it is still a failure if it is incomplete or the input has more.
    var failure: (any Error)? = done.losses.failure
    do {
      try statistics?.finish()
      if !isCancelled { try reader.checkEnding(of: plan.request.selection) }
    } catch {
      failure = failure ?? error
    }
    (report.error, report.isCancelled, report.pipeline) = (failure, isCancelled, done.pipeline)
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    (report.light, report.codedLight, report.colors) = (renderer.light, codedLight?.result, statistics?.sum)
    report.losses = done.losses.sentences
    try report.write(to: file)
    if let failure { throw ReportedFailure(failure) }
    return isCancelled ? .cancelled : .finished
  }

  private func render(_ frame: CodedFrame, _ writer: MediaWriter) throws -> CodedFrame {
    if frame.fieldOrder != nil, plan.video.fieldOrder == nil, !hasSaidFields {
      session.warn([.output(.becomesInterlaced)])
      hasSaidFields = true
    }
    noteChange(frame)
    let result = try writer.makeFrame(time: frame.time, fieldOrder: frame.fieldOrder)
    try renderer.render(frame, into: result)
    try codedLight?.write(result)
    return result
  }

  /// The output has one mastering display and one MaxCLL: those of its first frame, or values derived from them.
  private func noteChange(_ frame: CodedFrame) {
    guard let stated, plan.target.color.transfer == .pq || plan.source.interpretation.metadata != nil,
      frame.metadata.masteringDisplay != stated.masteringDisplay || frame.metadata.contentLight != stated.contentLight
    else { return }
    session.warn([.output(.metadataChanges(seconds: frame.time.seconds))])
    self.stated = nil
  }

  private func conclude(_ progress: Session.Progress, _ writer: MediaWriter) {
    session.warn(reader.damage)
    if writer.movedFrames > 0 { session.warn([.output(.movedTimes(writer.movedFrames))]) }
    if writer.largestShift > Self.largestRounding {
      session.warn([
        .output(.shiftedFrames(seconds: writer.largestShift, rate: plan.video.frameRate?.value))
      ])
    }
    session.emit(.finished(progress))
  }

  /// Smaller shifts in seconds are not reported: containers with millisecond timestamps have them everywhere.
  private static let largestRounding = 0.002
}

/// A failure that the report already contains.
struct ReportedFailure: Error {
  let cause: any Error

  init(_ cause: any Error) { self.cause = cause }
}

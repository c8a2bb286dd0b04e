internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Media
internal import Rendering
internal import StreamPipeline
internal import ToneMapping

/// Runs a transcode.
final class TranscodeRun {
  private let session: Session
  private let plan: TranscodePlan
  private let reader: any MediaInput
  private let inputState: InputState
  private let renderer: StreamRenderer
  private let others: [(output: StreamPipeline.Output, frames: FramePool)]
  private let statistics: StatisticsFile?
  private let codedLight: CodedLightSink?
  /// Number of samples compared with the input's, and of changed ones; nil: light is mapped, or nothing is reported.
  private var codes: (compared: Int, changed: Int)?
  private var watch: FrameWatch
  private let start = ContinuousClock.now

  init(
    _ session: Session, _ plan: TranscodePlan, _ input: Session.OpenedInput, beside others: [Session.SideOutput]
  ) throws {
    try Session.SideOutput.check(others)
    (self.session, self.plan, reader) = (session, plan, input.reader)
    let request = plan.request
    inputState = input.state
    watch = FrameWatch(plan)
    let pool = WorkerPool(count: request.processing.threads)
    let levels = request.report.map { _ in
      LightLevelAnalyzer(
        size: input.first.size, content: plan.source.interpretation, sdrWhite: plan.target.display.sdrWhite,
        gamut: plan.target.display.primaries, workers: pool.count)
    }
    let isCounted = request.report != nil || request.statistics != nil
    statistics = isCounted ? StatisticsFile(request.statistics, replaces: request.overwrites) : nil
    renderer = try StreamRenderer(
      session, plan, beside: others,
      counting: StreamRenderer.Counting(statistics: statistics, levels: levels), pool: pool)
    self.others = zip(others, renderer.formats.dropFirst()).map { ($0.output, FramePool($1)) }
    codes = request.report != nil && plan.keepsCodes ? (0, 0) : nil
    // The coded light of a report is measured frame by frame.
    codedLight =
      request.report != nil && plan.target.color.transfer == .pq
      ? try CodedLightSink(plan.video.pixelFormat, tier: request.processing.kernels, pool: pool) : nil
  }

  /// - Parameter passed: Statistics of a first pass.
  func run(after passed: PassStatistics?) throws -> Session.Outcome {
    let request = plan.request
    let file = try request.report.flatMap {
      try $0 == "-" ? nil : OutputFile($0, replaces: request.overwrites)
    }
    return try session.running {
      if let passed { session.removing { passed.discard() } }
      try statistics?.begin(session)
      // Leave nothing unfinished behind.
      defer { statistics?.discard() }
      var settings = try plan.video.settings(streams: plan.streams.outputStreams(of: reader))
      (settings.inputs, settings.pass) = (request.filesRead, passed.map { .second($0) })
      settings.isLive = reader is DeviceMedia
      let writer = try MediaWriter(settings)
      return try run(writer, reportingTo: file)
    }
  }

  private func run(_ writer: MediaWriter, reportingTo file: OutputFile?) throws -> Session.Outcome {
    let request = plan.request
    var run = Session.Run(reader, plan.selection, passed: plan.streams.passed, to: writer)
    run.frameRate = plan.video.frameRate?.value
    // A device cannot be read again.
    run.salvages = reader is DeviceMedia
    run.partial = reader is DeviceMedia ? .whole : request.keepsPartialName ? .marked : .named
    run.input = inputState
    run.outputs += others.map(\.output)
    var report = TranscodeReport(plan, reader, writer, session.wording)
    let done = session.attempt(run, changing: renderer) { try render($0, writer, $1) }
    (report.pipeline, report.losses, report.partialName) = (
      done.pipeline, done.losses.sentences, done.losses.partialName
    )
    if let failure = done.failure {
      report.error = failure
      // The original error takes precedence over one of the report.
      throw (try? write(&report, to: file)) == nil ? failure : ReportedFailure(failure)
    }
    return try session.conclude(done, reader, plan.request.selection) {
      warn(writer)
      try statistics?.finish()
      if request.input.isStrict, let loss = done.losses.messages.first { throw Refusal.strict(loss) }
    } reporting: { failure in
      (report.error, report.isCancelled) = (failure, done.outcome == .cancelled)
      try write(&report, to: file)
      return failure.map { ReportedFailure($0) }
    }
  }

  private func write(_ report: inout TranscodeReport, to file: OutputFile?) throws {
    (report.light, report.codedLight, report.colors) = (renderer.light, codedLight?.result, statistics?.sum)
    report.codes = codes
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    try report.write(to: file, by: session)
  }

  private func render(
    _ frame: CodedFrame, _ writer: MediaWriter, _ open: StreamPipeline.OutputSet
  ) throws -> [StreamPipeline.Rendered] {
    try session.warn(watch.surprises(in: frame), isStrict: plan.request.input.isStrict)
    try renderer.follow(frame)
    let result = try plan.makeFrame(for: frame, by: writer, passing: renderer.passesFrames)
    let beside = others.enumerated().map { index, other in
      open.contains(index + 1) ? other.frames.frame(time: frame.time, fieldOrder: frame.fieldOrder) : nil
    }
    let rendered = try renderer.render(frame, into: [result] + beside)
    if case .frame = rendered[0] {
      try codedLight?.write(result)
      compareCodes(of: frame, with: result)
    }
    return rendered
  }

  /// Compares code values with the input's. A frame later in the stream may have another form, and is converted.
  private func compareCodes(of frame: CodedFrame, with result: CodedFrame) {
    guard let codes else { return }
    let picture = result.part(plan.renderTarget.picture)
    let count = (0..<picture.layout.planeCount).reduce(0) {
      let extent = picture.layout.planeSize($1, of: picture.size)
      return $0 + extent.width * extent.height
    }
    let isAlike = frame.layout.planar.read(by: plan.source.color.matrix) == picture.layout && frame.size == picture.size
    let changed = isAlike ? frame.described(as: plan.source.color).countChanges(in: picture) : count
    self.codes = (codes.compared + count, codes.changed + changed)
  }

  private func warn(_ writer: MediaWriter) {
    if writer.movedFrames > 0 {
      let count = writer.movedFrames.counting("frame or packet", "frames or packets")
      session.warn("timestamps-moved", "\(count) had non-increasing timestamps; they were moved.")
    }
    if writer.largestShift > Self.largestRounding {
      let milliseconds = Int((writer.largestShift * 1000).rounded())
      let rate = plan.video.frameRate.map { ", \($0.value.words(decimals: 3)) fps" } ?? ""
      session.warn(
        "frames-moved", "Frames were moved by up to \(milliseconds) ms: the output has a constant frame rate\(rate).")
    }
  }

  /// Minimum shift in seconds that is reported: containers with millisecond timestamps have smaller ones everywhere.
  private static let largestRounding = 0.002
}

/// A failure that the report already contains.
struct ReportedFailure: Error {
  let cause: any Error

  init(_ cause: any Error) { self.cause = cause }
}

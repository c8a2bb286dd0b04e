internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Measurement
package import Media
package import Rendering
internal import ToneMapping

extension Session {
  /// Resolves a request against its input, and measures the input first if necessary.
  /// - Throws: `Refusal` for impossible requests, `Cancellation`, or the error of a library.
  public func plan(_ request: TranscodeRequest) throws -> TranscodePlan {
    try request.validate()
    try request.checkFiles()
    dropSubtitles()
    return try reporting(request) { try makePlan(request) }
  }

  private func makePlan(_ request: TranscodeRequest) throws -> TranscodePlan {
    // Reject impossible requests before a measurement.
    try request.coding.check(with: request.coding.namedEncoder)
    let state = InputState(request.input, request.selection)
    let (reader, indices) = try openInput(request)
    let videoIndex = reader.video.index
    let format = try MediaWriter.formatName(url: request.url, format: request.coding.format)
    let burned = try request.burnedSubtitles.map { try SubtitleStream($0, of: reader) }
    // Burnt-in subtitles are not also written as a stream, unless requested.
    let beside = indices.filter { !request.streams.map.isEmpty || $0 != burned?.inputIndex }
    let streams = try StreamPlan(reader, beside, request.streams, url: request.url, format: format)
    let (geometry, measured) = try survey(request, reader.video) { try request.open(videoIndex: videoIndex) }
    try reader.pass(streams.passed)
    try reader.prepare(geometry.preparation)
    let first = try reader.firstFrame(of: request.selection)
    var plan = try TranscodePlan(
      request, format: format, reader: reader, first: first, survey: reader.survey(of: request.selection),
      streams: streams, subtitles: burned, geometry: geometry, measured: measured)
    warn(reader.colorWarnings + plan.source.warnings + plan.warnings)
    if request.metadata.measuresOutput { try measure(&plan) }
    note(reader.readerNotes + plan.notes)
    keep(OpenedInput(reader: reader, first: first, state: state), for: plan)
    return plan
  }

  /// States the measured light of the coded frames.
  private func measure(_ plan: inout TranscodePlan) throws {
    let input = try openInput(of: plan)
    let pool = WorkerPool(count: plan.request.processing.threads)
    let renderer = try StreamRenderer(self, plan, pool: pool)
    let format = plan.video.pixelFormat
    let frames = FramePool(format)
    let light = try measureOutput(
      input.reader, plan.selection, format, plan.request.processing, pool: pool, limit: plan.target.limit
    ) { frame in
      let result = frames.frame(time: frame.time, fieldOrder: frame.fieldOrder)
      try renderer.render(frame, into: result)
      return result
    }
    plan.state(light)
  }

  /// Opens the input with the video stream selected by the map, and the other selected streams.
  private func openInput(_ request: TranscodeRequest) throws -> (any MediaInput, [Int]) {
    let reader = try request.open(leavesDevice: onlyPlans)
    let indices = try request.streams.indices(in: reader)
    // The first one named; without a map, FFmpeg's choice.
    let chosen = indices.first { index in
      let stream = reader.info.streams.first { $0.index == index }
      return stream?.kind == .video && stream?.isCover == false
    }
    guard let chosen else {
      throw Refusal.invalid(
        "no-video-selected", "\(.map) selects no video stream: add one, such as \(.map, "0:v:0").")
    }
    if chosen == reader.video.index { return (reader, indices) }
    guard request.input.isRepeatable else {
      throw Refusal.invalid(
        "input-not-reopenable",
        "\(.map) selects a video stream other than the default one, which would mean opening the pipe again: write the "
          + "input to a file first.")
    }
    return (try request.open(videoIndex: chosen), indices)
  }

  /// Runs a plan.
  /// - Returns: The outcome; the output is complete even after `cancel()`.
  /// - Throws: The error that left the output missing or incomplete.
  @discardableResult
  public func run(_ plan: TranscodePlan) throws -> Outcome { try run(plan, beside: []) }

  /// Runs a plan, and renders the same frames to other outputs; the input is decoded and unpacked once.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - others: Other outputs for the frames. The plan's output does not depend on them.
  /// - Returns: The outcome; the output is complete even after `cancel()`, and missing if no frame was rendered.
  /// - Throws: The error that left the output, or another essential one, missing or incomplete; `Refusal` or
  ///   `RenderingError` for other outputs that are impossible, before any file is created.
  @discardableResult
  public func run(_ plan: TranscodePlan, beside others: [SideOutput]) throws -> Outcome {
    defer { dropSubtitles() }
    return try reporting(plan.request) {
      let input = try takeInput(of: plan)
      let run = try TranscodeRun(self, plan, input, beside: others)
      guard plan.video.rate.isTwoPass else { return try run.run(after: nil) }
      // Detect errors now that would stop the second pass.
      try MediaWriter.tryOut(plan.video.settings(streams: plan.streams.outputStreams(of: input.reader)))
      note("first-of-two-passes", "first of two passes: finding out how many bits each frame needs.")
      // The files of the first pass are removed even if a signal ends the process.
      return try running {
        let statistics = try firstPass(plan)
        defer { statistics.discard() }
        return try run.run(after: statistics)
      }
    }
  }

  /// Writes a failure to the report, where batch jobs look for the result.
  private func reporting<Result>(_ request: TranscodeRequest, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as ReportedFailure {
      throw failure.cause
    } catch {
      try? TranscodeReport.write(error, of: request, by: self)
      throw error
    }
  }

  /// Makes a plan and runs it.
  /// - Throws: As `plan(_:)` and `run(_:)`.
  @discardableResult
  public func run(_ request: TranscodeRequest) throws -> Outcome { try run(plan(request)) }
}

extension TranscodePlan: InputPlan {
  package func openReader() throws -> any MediaInput {
    let reader = try openPictures()
    try reader.pass(streams.passed)
    return reader
  }

  /// Opens the input without its other streams.
  package func openPictures() throws -> any MediaInput {
    let reader = try request.open(videoIndex: videoIndex)
    try reader.prepare(geometry.preparation)
    return reader
  }
}

extension TranscodeRequest {
  /// Checks the files before the work begins.
  package func checkFiles() throws(Refusal) {
    try checkRepeatable()
    try coding.rate.check(input)
    if let burnedSubtitles, !SubtitleStream.isFile(burnedSubtitles), !input.isRepeatable {
      throw .invalid(.inputNotRepeatable(input.name, for: .burnSubtitles))
    }
    if let report, let output, OutputPath(report).isSame(as: output) {
      throw .invalid(.sameFile(.report, .output))
    }
    if let statistics {
      try OutputPath(statistics).checkBeside(
        .statistics, reading: filesRead, outputs: [(.output, output), (.report, report)], overwrites: overwrites)
    }
    for name in [output, report].compactMap(\.self) where name != "-" {
      try OutputPath(name).check(reading: filesRead, overwrites: overwrites)
    }
  }
}

extension StreamRenderer {
  /// The renderer of a transcode and of its side outputs.
  package convenience init(
    _ session: Session, _ plan: TranscodePlan, beside others: [Session.SideOutput] = [],
    counting: Counting = Counting(), pool: WorkerPool
  ) throws {
    let environment = OutputRenderer.Environment(
      processing: plan.request.processing, measured: plan.measured, pool: pool)
    let size = plan.decoded.size
    let target = plan.renderTarget
    let burner = try plan.subtitles.map { try SubtitleBurner(session, $0, plan.request.input, for: target) }
    let main = try OutputRenderer(
      plan.settings(), source: plan.source, size, target: target, subtitles: burner, environment)
    let beside = try others.map { other in
      let settings = try other.settings(plan.geometry)
      let source = plan.source.using(settings.use)
      let target = try settings.target(source, size, settings.mapping, settings.filters)
      return try OutputRenderer(settings, source: source, size, target: target, environment)
    }
    let follower = SourceFollower(plan.request.input.name, plan.request.input, first: plan.decoded)
    try self.init(session, follower, outputs: [main] + beside, environment, counting: counting)
  }
}

extension TranscodePlan {
  /// Returns the rendering settings of the output.
  fileprivate func settings() throws -> OutputSettings {
    OutputSettings(
      mapping: request.mapping, rendering: request.rendering, following: request.following,
      filters: try request.parsedFilters(),
      target: { source, _, mapping, filters in
        var target = try TargetPlan(source, request, mapping, filters: filters)
        target.code(as: video.layout, of: source)
        var changed = renderTarget(target)
        let isSame = mapping == request.mapping
        if video.copiesHDR10Plus, !isSame || filters.count != request.filters.count {
          let changes = lightChanges(target, self.source, mapping, paints: !filters.isEmpty)
          if !changes.isEmpty { throw Refusal.invalid(.wrongHDR10Plus(changes)) }
        }
        if isSame { return changed }
        // Metadata in the file stays valid for another mapping, as for every state of a followed display.
        if request.following != nil {
          changed.limit = [self.target.limit, target.limit].compactMap(\.self).min()
        } else if let stated = video.metadata.contentLight?.maxCLL, stated > 0, target.display.peak > Double(stated) {
          throw Refusal.invalid(
            "peak-above-stated-max-cll",
            "A peak of \(target.display.peak.words) cd/m² is above the MaxCLL of \(Int(stated)) "
              + "that the file already states.")
        } else {
          changed.limit = target.limit
        }
        return changed
      })
  }
}

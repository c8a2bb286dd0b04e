internal import ArgumentParser
internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Rendering

/// `headroom transcode INPUT -o OUTPUT`
struct TranscodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode", abstract: "Convert HDR video to SDR, or to HDR10 or HLG at another peak.")

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup var options: TranscodeOptions

  func run() throws {
    let output = options.output
    FFmpegLog.level = output.messages.verbose ? .verbose : .quiet
    var run: TranscodeRun?
    var mayReport = false
    do {
      try checkFiles()
      if let request = try PictureRequest(options, input: input) {
        if let status = try PictureJob(request: request).run() { throw status }
        return
      }
      mayReport = true
      let (reader, map) = try openInput()
      let format = try MediaWriter.formatName(url: output.url, format: output.coding.format)
      let beside = try StreamPlan(reader, map, options: options.streams, url: output.url, format: format)
      let selection = FrameSelection(output.selection)
      let measured = try MeasurePass(
        input: input, selection: selection, metadata: options.metadata, source: options.source,
        processing: options.rendering.processing, messages: output.messages
      ).measurement { try open(reader.video.index) }
      reader.pass(beside.passed)
      let geometry = try GeometryPlan(
        reader.video, path: input, bakesRotation: output.bakeRotation, scale: output.scale)
      try reader.scale(geometry.scaling)
      let first = try reader.firstFrame(of: selection)
      var plan = try TranscodePlan(
        reader: reader, first: first, streams: beside, geometry: geometry, measured: measured, options: options)
      (reader.warnings + plan.source.warnings + plan.warnings).forEach(Console.warning)
      if options.metadata.measuresOutput { try measure(&plan, reader.video.index) }
      announce(plan, reader)
      let prepared = try TranscodeRun(reader: reader, first: first, plan: plan, options: options)
      run = prepared
      if let status = try prepared.run() { throw status }
    } catch let status as ExitStatus {
      throw status
    } catch {
      let failure = CommandFailure(error)
      if mayReport, run?.hasReported != true { report(failure) }
      throw failure
    }
  }

  /// States the light of what will be coded.
  private func measure(_ plan: inout TranscodePlan, _ videoIndex: Int) throws {
    let reader = try open(videoIndex)
    try reader.scale(plan.geometry.scaling)
    let first = try reader.firstFrame(of: plan.selection)
    let processing = options.rendering.processing
    let pool = WorkerPool(count: processing.threads)
    let renderer = try StreamRenderer(plan, first: first, path: reader.info.url, options: options, pool: pool)
    let frames = FramePool(plan.codedFormat)
    let pass = CodedLightPass(
      reader: reader, selection: plan.selection, processing: processing, messages: options.output.messages)
    let light = try pass.measure(plan.codedFormat, pool: pool) { frame in
      let result = frames.frame(time: frame.time, fieldOrder: frame.fieldOrder)
      try renderer.render(frame, into: result)
      return result
    }
    plan.state(light)
  }

  /// Before the work, not after it.
  private func checkFiles() throws {
    let output = options.output
    try options.metadata.check(input: input)
    if let report = output.report, OutputPath(report).isSame(as: output.url) {
      throw CommandFailure("--report and --output name the same place: give the report another one.", .usage)
    }
    try options.filters.checkFile(
      input: input, outputs: [("--output", output.output), ("--report", output.report)], overwrites: output.overwrite)
    for name in [output.output, output.report].compactMap(\.self) where name != "-" {
      try OutputPath(name).check(input: input, overwrites: output.overwrite)
    }
  }

  /// A batch looks for the reason where it looks for the result.
  private func report(_ failure: CommandFailure) {
    guard let name = options.output.report,
      let text = try? RunReport.failure(input: input, output: options.output.url, error: failure.message)
    else { return }
    if name == "-" {
      try? Console.result(text)
    } else {
      try? OutputFile(wholeFileAt: name, replaces: options.output.overwrite).write(text + "\n")
    }
  }

  /// The input with the stream that `--map` chooses, and the streams that go with it.
  private func openInput() throws -> (any MediaInput, StreamMap) {
    let reader = try open(nil)
    let map = try StreamMap(options.streams.map, reader)
    // The first that is named; without a map FFmpeg's choice is the only one.
    let chosen = map.indices.first { index in
      let stream = reader.info.streams.first { $0.index == index }
      return stream?.kind == .video && stream?.dispositions.contains("attached_pic") == false
    }
    guard let chosen else {
      throw CommandFailure("--map takes no video stream: add one, as --map 0:v:0.", .usage)
    }
    if chosen == reader.video.index { return (reader, map) }
    guard MediaReader.isRepeatable(url: input) else {
      throw CommandFailure(
        "--map takes another video stream than the first best one, for which a pipe would have to be opened again: "
          + "write it to a file first.", .usage)
    }
    return (try open(chosen), map)
  }

  private func open(_ videoIndex: Int?) throws -> any MediaInput {
    try options.source.open(input, videoIndex: videoIndex, threads: options.rendering.processing.threadCount)
  }

  private func announce(_ plan: TranscodePlan, _ reader: any MediaInput) {
    guard !options.output.messages.quiet else { return }
    (reader.notes + plan.notes).forEach(Console.note)
    Console.note(plan.summary)
  }
}

internal import ArgumentParser
internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Measurement

/// `headroom dump INPUT -o PATTERN`
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Write frames as pictures or raw buffers: OpenEXR, PNG, TIFF, AVIF, JPEG XL, Y4M.",
    discussion: """
      In linear spaces 1.0 is 100 cd/m² for PQ as decoded, SDR white for SDR and after the mapping; HLG as decoded is \
      scene light, 0 to 1. Files say so where their format can, raw ones in a JSON file beside them. Pictures are turned \
      as the input says that they are to be shown. After SIGINT or SIGTERM what was read is written.
      """)

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup var options: DumpOptions

  func run() throws {
    let output = options.output
    FFmpegLog.level = output.messages.verbose ? .verbose : .quiet
    do {
      let selection = FrameSelection(output)
      let measured = try MeasurePass(
        input: input, selection: selection, metadata: options.metadata, source: options.source,
        processing: options.rendering.processing, messages: output.messages
      ).measurement(open)
      let reader = try open()
      let scale = output.scale ?? output.contact.flatMap { _ in PictureScaling.thumbnail(of: reader.video) }
      let geometry = try GeometryPlan(reader.video, path: input, bakesRotation: true, scale: scale)
      try reader.scale(geometry.scaling)
      let first = try reader.firstFrame(of: selection)
      let plan = try DumpPlan(
        first: first, path: reader.info.url, geometry: geometry, measured: measured, isStill: reader.isStill,
        options: options)
      try OutputPath(output.output).check(
        plan.names, from: plan.firstNumber, input: input, overwrites: output.overwrite)
      announce(plan, reader.remarks)
      if let grid = output.contact {
        try ContactRun(reader: reader, first: first, plan: plan, grid: grid).run()
      } else if let status = try DumpRun(reader: reader, first: first, plan: plan).run() {
        throw status
      }
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }

  private func open() throws -> any MediaInput {
    try options.source.open(input, threads: options.rendering.processing.threadCount)
  }

  private func announce(_ plan: DumpPlan, _ remarks: [String]) {
    (remarks + plan.source.warnings + plan.warnings).forEach(Console.warning)
    guard !options.output.messages.quiet else { return }
    plan.source.notes.forEach(Console.note)
    Console.note(plan.summary)
  }
}

extension PictureScaling {
  /// The size of a picture of a contact sheet, its samples square.
  fileprivate static func thumbnail(of video: VideoStreamInfo) -> PictureScaling? {
    let width = 384
    let turn = (video.displayMatrix?.orientation ?? .identity)
    let ratio = video.sampleAspectRatio.map(turn.turned(sampleAspectRatio:))?.value ?? 1
    let size = turn.turned(video.size)
    let height = Double(width) * Double(size.height) / (Double(size.width) * (ratio > 0 ? ratio : 1))
    return PictureScaling(width: .samples(width), height: .samples(min(max(Int((height / 2).rounded()) * 2, 16), 4096)))
  }
}

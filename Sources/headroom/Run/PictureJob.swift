internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Measurement

/// A request for pictures from its plan to their files.
struct PictureJob {
  let request: PictureRequest

  /// - Returns: How the process should end where a signal came; what is there is complete.
  func run() throws -> ExitStatus? {
    try checkOutput()
    try request.metadata.check(input: request.input)
    let measured = try MeasurePass(
      input: request.input, selection: request.selection, metadata: request.metadata, source: request.source,
      processing: request.rendering.processing, messages: request.messages
    ).measurement(open)
    let reader = try open()
    let scale =
      request.scale
      ?? request.contact.flatMap { _ in
        // Light has no coded signal to scale in.
        reader.video.layout?.samples == .half ? nil : PictureScaling.thumbnail(of: reader.video)
      }
    let geometry = try GeometryPlan(
      reader.video, path: request.input,
      bakesRotation: request.bakesRotation && !request.keepsCodes, scale: scale)
    try reader.scale(geometry.scaling)
    let first = try reader.firstFrame(of: request.selection)
    var plan = try DumpPlan(
      first: first, path: reader.info.url, geometry: geometry, measured: measured, isStill: reader.isStill, request)
    (reader.warnings + plan.source.warnings + plan.warnings).forEach(Console.warning)
    if !request.messages.quiet {
      (reader.notes + plan.source.notes + plan.rendering.notes + [plan.summary]).forEach(Console.note)
    }
    if request.metadata.measuresOutput {
      if request.contact != nil {
        throw CommandFailure("--max-cll measure is not for a contact sheet: leave it out.", .usage)
      }
      let again = try open()
      try again.scale(geometry.scaling)
      plan.state(try DumpRun(reader: again, first: try again.firstFrame(of: request.selection), plan: plan).measure())
    }
    let status =
      if let grid = request.contact {
        try ContactRun(reader: reader, first: first, plan: plan, grid: grid).run()
      } else {
        try DumpRun(reader: reader, first: first, plan: plan).run()
      }
    if status == nil { try reader.checkEnding(of: request.selection) }
    return status
  }

  /// Before the work, not after it.
  private func checkOutput() throws {
    try request.filterOptions.checkFile(
      input: request.input, outputs: [("--output", request.output)], names: request.names,
      overwrites: request.overwrites)
    try OutputPath(request.output).check(
      request.names, from: request.firstNumber, count: request.contact == nil ? request.selection.mostFrames : 1,
      hasSidecars: request.format.isRaw, input: request.input, overwrites: request.overwrites)
    // Says where there is no folder, or none that can be written to.
    _ = try OutputFile(wholeFileAt: request.names.name(request.firstNumber), replaces: request.overwrites)
  }

  private func open() throws -> any MediaInput {
    try request.source.open(request.input, threads: request.rendering.processing.threadCount)
  }
}

extension PictureScaling {
  /// Columns of a picture of a contact sheet.
  private static let thumbnailWidth = 384

  /// The size of a picture of a contact sheet, its samples square.
  fileprivate static func thumbnail(of video: VideoStreamInfo) -> PictureScaling? {
    let turn = video.displayMatrix?.orientation ?? .identity
    let ratio = video.sampleAspectRatio.map(turn.turned(sampleAspectRatio:))?.value ?? 1
    let size = turn.turned(video.size)
    let height = Double(thumbnailWidth * size.height) / (Double(size.width) * (ratio > 0 ? ratio : 1))
    // Not a number where the container does not say how large its pictures are: they keep their size.
    guard size.width > 0, size.height > 0, height.isFinite else { return nil }
    let even = Int((min(height, 4096) / 2).rounded()) * 2
    return PictureScaling(width: .samples(thumbnailWidth), height: .samples(max(even, extents.lowerBound)))
  }
}

internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Measurement

/// A request for pictures from its plan to their files.
struct PictureJob {
  let request: PictureRequest

  /// - Returns: How the process should end where a signal came; what is there is complete.
  func run() throws -> ExitStatus? {
    let measured = try MeasurePass(
      input: request.input, selection: request.selection, metadata: request.metadata, source: request.source,
      processing: request.rendering.processing, messages: request.messages
    ).measurement(open)
    let reader = try open()
    let scale = request.scale ?? request.contact.flatMap { _ in PictureScaling.thumbnail(of: reader.video) }
    let geometry = try GeometryPlan(reader.video, path: request.input, bakesRotation: true, scale: scale)
    try reader.scale(geometry.scaling)
    let first = try reader.firstFrame(of: request.selection)
    let plan = try DumpPlan(
      first: first, path: reader.info.url, geometry: geometry, measured: measured, isStill: reader.isStill, request)
    try OutputPath(request.output).check(
      plan.names, from: plan.firstNumber, input: request.input, overwrites: request.overwrites)
    (reader.warnings + plan.source.warnings + plan.warnings).forEach(Console.warning)
    if !request.messages.quiet { (reader.notes + plan.source.notes + [plan.summary]).forEach(Console.note) }
    if let grid = request.contact {
      try ContactRun(reader: reader, first: first, plan: plan, grid: grid).run()
      return nil
    }
    return try DumpRun(reader: reader, first: first, plan: plan).run()
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
    let even = Int((min(height, 4096) / 2).rounded()) * 2
    return PictureScaling(width: .samples(thumbnailWidth), height: .samples(max(even, extents.lowerBound)))
  }
}

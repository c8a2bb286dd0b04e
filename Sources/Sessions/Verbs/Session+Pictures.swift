internal import FFmpegIO
internal import Frames
internal import ImageFiles
package import Media
package import Rendering

extension Session {
  /// Resolves a request against its input, and measures the input first if necessary.
  /// - Throws: `Refusal` for impossible requests, `Cancellation`, or the error of a library.
  public func plan(_ request: PictureRequest) throws -> PicturePlan {
    try request.validate()
    try request.checkFiles()
    let state = InputState(request.input, request.selection)
    let reader = try request.open(leavesDevice: onlyPlans)
    let (geometry, measured) = try survey(request, reader.video) { try request.open() }
    try reader.prepare(geometry.preparation)
    let first = try reader.firstFrame(of: request.selection)
    var plan = try PicturePlan(
      request, reader: reader, first: first, geometry: geometry, measured: measured)
    try plan.checkContactSheet(reader)
    warn(reader.colorWarnings + plan.source.warnings + plan.warnings)
    note(reader.readerNotes + plan.source.notes + plan.notes)
    if request.metadata.measuresOutput { try measure(&plan) }
    keep(OpenedInput(reader: reader, first: first, state: state), for: plan)
    return plan
  }

  /// States the measured light of the coded pictures.
  private func measure(_ plan: inout PicturePlan) throws {
    if plan.request.contact != nil {
      throw Refusal.invalid(
        "contact-sheet-not-measured", "\(.contentLight, "measure") is not for a contact sheet: omit it.")
    }
    let input = try openInput(of: plan)
    let renderer = try PictureRenderer(self, plan, input)
    // Frames written unchanged have no metadata, and were rejected earlier.
    guard let format = renderer.format else { throw Refusal.invalid(.pictureMetadataNeedsPQ) }
    plan.state(
      try measureOutput(
        input.reader, SelectionPlan(plan.request.selection), format, plan.request.processing, pool: renderer.workers,
        limit: plan.rendering.limit, render: renderer.render))
  }

  /// Runs a plan.
  /// - Returns: The outcome; written pictures are complete even after `cancel()`.
  /// - Throws: The error that left pictures missing.
  @discardableResult
  public func run(_ plan: PicturePlan) throws -> Outcome {
    let input = try takeInput(of: plan)
    return try plan.request.contact.map { try runContactSheet(plan, $0, input) } ?? runPictures(plan, input)
  }

  /// Makes a plan and runs it.
  /// - Throws: As `plan(_:)` and `run(_:)`.
  @discardableResult
  public func run(_ request: PictureRequest) throws -> Outcome { try run(plan(request)) }

  private func runPictures(_ plan: PicturePlan, _ input: OpenedInput) throws -> Outcome {
    let (request, reader) = (plan.request, input.reader)
    let statistics = request.statistics.map { StatisticsFile($0, replaces: request.overwrites) }
    let renderer = try PictureRenderer(self, plan, input, statistics: statistics)
    let settings = try plan.writerSettings(first: input.first, video: reader.video)
    return try running {
      try statistics?.begin(self)
      // Leave nothing unfinished behind.
      defer { statistics?.discard() }
      var run = Run(reader, SelectionPlan(request.selection), to: try ImageFileWriter(settings))
      run.salvages = settings.names.hasNumber
      run.input = input.state
      return try conclude(perform(run, renderer.render), reader, request.selection) { try statistics?.finish() }
    }
  }
}

extension PicturePlan: InputPlan {
  package func openReader() throws -> any MediaInput {
    let reader = try request.open()
    try reader.prepare(geometry.preparation)
    return reader
  }
}

extension PictureRequest {
  /// Checks the files before the work begins.
  package func checkFiles() throws {
    try checkRepeatable()
    let names = try FileNames.checked(output)
    if let statistics {
      try OutputPath(statistics).checkBeside(
        .statistics, reading: filesRead, outputs: [(.output, output)], names: names, overwrites: overwrites)
    }
    try OutputPath(output).check(
      names, from: firstNumber, count: contact == nil ? selection.maximumFrames : 1, hasSidecars: format.isRaw,
      reading: filesRead, overwrites: overwrites)
    // Reports a missing or unwritable folder.
    _ = try OutputFile(names.name(firstNumber), replaces: overwrites)
  }
}

/// Renders frames as pictures, if necessary by encoding and decoding them as a transcode would.
final class PictureRenderer {
  let workers: WorkerPool
  private let plan: PicturePlan
  private let session: Session
  private var follower: SourceFollower
  /// nil if frames are written unchanged.
  private let renderer: (first: StreamRenderer, frames: FramePool)?
  private let decoder: (renderer: FrameRenderer, frames: FramePool)?
  private let limiter: PeakLimiter?

  package init(
    _ session: Session, _ plan: PicturePlan, _ input: Session.OpenedInput, statistics: StatisticsFile? = nil
  ) throws {
    (self.plan, self.session) = (plan, session)
    follower = SourceFollower(input.reader.info.url, plan.request.input, first: input.first.format)
    let (request, rendering) = (plan.request, plan.rendering)
    let pool = WorkerPool(count: request.processing.threads)
    workers = pool
    renderer = try rendering.target.map { target in
      let renderer = try StreamRenderer(session, plan, target, input, statistics: statistics, pool: pool)
      return (renderer, FramePool(target.endpoint.format))
    }
    decoder = try rendering.decoding.map { decoding in
      let renderer = try FrameRenderer(
        source: decoding.source, stages: decoding.rendering.stages(for: nil), target: decoding.target,
        dither: request.rendering.dithers, tier: request.processing.kernels, pool: pool)
      return (renderer, FramePool(decoding.target.format))
    }
    limiter = try rendering.decoding?.target.limiter(rendering.limit)
  }

  /// Format of rendered frames; nil if they are written unchanged.
  var format: PixelFormat? { plan.rendering.decoding?.target.format ?? plan.rendering.target?.endpoint.format }

  package func render(_ frame: CodedFrame) throws -> CodedFrame {
    guard let renderer else {
      if try follower.hasChanged(frame) {
        SourceFollower.report(try follower.source(frame, use: nil), frame.size, session)
      }
      return frame.planar
    }
    let metadata = plan.rendering.metadata
    let result = renderer.frames.frame(time: frame.time, metadata: metadata, fieldOrder: frame.fieldOrder)
    try renderer.first.render(frame, into: result)
    guard let decoder else { return result }
    let picture = decoder.frames.frame(time: frame.time, metadata: metadata, fieldOrder: frame.fieldOrder)
    try decoder.renderer.render(result, into: picture)
    limiter?.limit(picture, pool: workers)
    return picture
  }
}

extension StreamRenderer {
  /// The renderer of a picture plan.
  package convenience init(
    _ session: Session, _ plan: PicturePlan, _ target: RenderTarget, _ input: Session.OpenedInput,
    statistics: StatisticsFile? = nil, pool: WorkerPool
  ) throws {
    let (request, first) = (plan.request, input.first.format)
    let form = try PictureForm(request, color: first.color)
    let environment = OutputRenderer.Environment(
      processing: request.processing, measured: plan.measured, pool: pool)
    var rendering = request.rendering
    rendering.usesDynamicMetadata = form.use != nil
    let settings = OutputSettings(
      mapping: request.mapping, rendering: rendering, filters: form.filters,
      target: { source, _, _, _ in
        // Every source has a target if the first one has.
        try form.rendering(of: source, first, orientation: plan.geometry.orientation).target ?? target
      })
    let output = try OutputRenderer(settings, source: plan.source, first.size, target: target, environment)
    let follower = SourceFollower(input.reader.info.url, request.input, first: first)
    try self.init(
      session, follower, outputs: [output], environment, counting: Counting(statistics: statistics))
  }
}

public import Frames
internal import Synchronization

/// Renders frames of one format, band by band, to any number of outputs: a band is unpacked to linear light once,
/// passes the stages of the trunk, and then, for each output, the stages of that output.
///
///     samples ─► unpack ─► trunk ─┬─► stages ─► pack ─► samples
///                                 ├─► stages ─► linear half float
///                                 └─► stages that count
///
/// The two fields of an interlaced frame are rendered as separate pictures, if the heights of the source and the coded
/// output divide into fields. The result depends neither on the number of workers nor on which outputs are requested.
public final class FrameRenderer: Sendable {
  /// The format and transfer function of the frames.
  public let source: Endpoint
  /// The outputs, in the order of the destinations of `render`.
  public let outputs: [Output]
  private let trunk: [any Stage]
  private let tier: KernelTier
  private let pool: WorkerPool
  private let branches: [RenderBranch]
  /// Order in which a band is converted to the outputs: first the outputs that leave its light unchanged.
  private let order: [Int]
  private let picture: PictureEnds
  /// Top and bottom; nil if a height does not divide into fields.
  private let fields: (PictureEnds, PictureEnds)?
  private let bandHeight: Int
  private let rowStep: Int
  private let workspaces: [BandWorkspace]
  /// The light of a whole frame before rotation, for one frame at a time.
  private let upright: LinearFrame?
  private let turn = Mutex(())

  /// Creates a renderer with any number of outputs.
  /// - Parameters:
  ///   - source: Format of the frames.
  ///   - trunk: Stages for all outputs, in order, before any rotation.
  ///   - outputs: The outputs. Coded outputs are planar, with the size of the source after rotation.
  ///   - chroma: Upsampling of subsampled chroma.
  ///   - dividesFields: Reads interlaced frames field by field; otherwise as if they were progressive.
  ///   - rowStep: Every nth row of the picture is read, if all outputs are upright and counted.
  ///   - tier: Kernels to use, supported by the processor.
  ///   - pool: Worker threads.
  /// - Throws: `RenderingError` for formats that cannot be read or written.
  public init(
    source: Endpoint, trunk: [any Stage] = [], outputs: [Output], chroma: ChromaUpsampling = .bilinear,
    dividesFields: Bool = true, rowStep: Int = 1, tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    precondition(tier <= .detected && rowStep >= 1)
    precondition(rowStep == 1 || outputs.allSatisfy { $0.end == .counted && $0.orientation == .identity })
    (self.source, self.trunk, self.outputs, self.rowStep) = (source, trunk, outputs, rowStep)
    (self.tier, self.pool) = (tier, pool)
    var branches: [RenderBranch] = []
    for output in outputs {
      if case .copied(let target) = output.end { precondition(source.codes(as: target)) }
      branches.append(try RenderBranch(output, of: source.format.size, tier: tier))
    }
    self.branches = branches
    order =
      branches.indices.filter { !branches[$0].changesLight } + branches.indices.filter { branches[$0].changesLight }
    let unpacker = try BandUnpacker(format: source.format, transfer: source.transfer, reading: chroma, tier: tier)
    picture = PictureEnds(unpacker: unpacker, packers: branches.map(\.packer))
    fields = try dividesFields ? PictureEnds.fields(source, branches, chroma, tier) : nil
    let isTurned = outputs.contains { $0.orientation != .identity }
    let width = branches.map(\.size.width).reduce(source.format.size.width, max)
    let height = Self.bandHeight(width: width)
    bandHeight = height
    // Outputs share a band; all that change its light work on a copy, except the last.
    let copies = branches.count { $0.changesLight } > 1
    workspaces = (0..<pool.count).map { _ in
      BandWorkspace(source: source.format, width: width, height: height + 2, hasCopy: copies)
    }
    upright = isTurned ? LinearFrame(size: source.format.size) : nil
  }

  /// Creates a renderer with one coded output.
  /// - Parameters:
  ///   - source: Format of the frames.
  ///   - stages: Stages, in order.
  ///   - target: Format of the output: planar, with the size of the source after `orientation`.
  ///   - orientation: Rotation of the picture.
  ///   - dither: Dithers eight-bit output; deeper output is never dithered.
  ///   - tier: Kernels to use, supported by the processor.
  ///   - pool: Worker threads.
  /// - Throws: `RenderingError` for formats that cannot be read or written.
  public convenience init(
    source: Endpoint, stages: [any Stage], target: Endpoint, orientation: Orientation = .identity, dither: Bool = true,
    tier: KernelTier = .detected, pool: WorkerPool
  ) throws(RenderingError) {
    let output = Output(stages: stages, end: .coded(target, dithers: dither), orientation: orientation)
    try self.init(source: source, outputs: [output], tier: tier, pool: pool)
  }

  /// Returns the number of rows whose half-float planes fill a third of the second-level cache; the rest is for coded
  /// rows, tables and the rows that packing keeps.
  package static func bandHeight(width: Int) -> Int {
    let rowBytes = 3 * MemoryLayout<Float16>.stride * max(width, 1)
    return min(max(secondLevelCache / 3 / rowBytes / 2 * 2, 2), 64)
  }

  /// Renders `frame` for every output.
  /// - Parameters:
  ///   - frame: A frame of the source's format.
  ///   - destinations: One per output, of its kind and size, or `.skipped`.
  /// - Throws: `RenderingError.formatMismatch` if a frame has another format, `interlacedTurn` if it is
  ///   interlaced and an output rotates it.
  public func render(_ frame: CodedFrame, into destinations: [Destination]) throws(RenderingError) {
    try check(frame, destinations)
    if let upright {
      if frame.fieldOrder != nil { throw .interlacedTurn }
      turn.withLock { _ in renderTurned(frame, by: upright, into: destinations) }
      return
    }
    let wanted = order.filter { !destinations[$0].isSkipped }
    let isOnePicture = !branches.isEmpty && branches.allSatisfy { !$0.dividesIntoFields }
    guard frame.fieldOrder != nil, !isOnePicture, let (top, bottom) = fields else {
      return run([job(frame, picture, nil, wanted, destinations)])
    }
    let byField = wanted.filter { branches[$0].dividesIntoFields }
    run([job(frame, top, .top, byField, destinations), job(frame, bottom, .bottom, byField, destinations)])
    let others = wanted.filter { !branches[$0].dividesIntoFields }
    // Counting stages have already seen the fields.
    if !others.isEmpty {
      run([job(frame, picture, nil, others, destinations, trunk: trunk.filter { !$0.leavesLight })])
    }
  }

  /// Renders `frame` for a renderer with one coded output.
  /// - Throws: See `render(_:into:)`.
  public func render(_ frame: CodedFrame, into result: CodedFrame) throws(RenderingError) {
    try render(frame, into: [.coded(result)])
  }

  /// Returns the linear light of `frame`, for a renderer with one linear output.
  /// - Throws: See `render(_:into:)`.
  public func linearFrame(_ frame: CodedFrame) throws(RenderingError) -> LinearFrame {
    precondition(outputs.count == 1)
    let result = LinearFrame(size: outputs[0].orientation.rotated(frame.size), time: frame.time)
    try render(frame, into: [.linear(result)])
    return result
  }

  private func check(_ frame: CodedFrame, _ destinations: [Destination]) throws(RenderingError) {
    precondition(destinations.count == outputs.count)
    try check(frame, source.format)
    for (branch, destination) in zip(branches, destinations) {
      switch (branch.output.end, destination) {
      case (.coded(let target, _), .coded(let result, _)): try check(result, target.format)
      case (.copied(let target), .coded(let result, let overlay)):
        try check(result, target.format)
        if overlay != nil, branch.packer == nil { throw .unsupportedMatrix(target.format.color.matrix) }
      case (.linear, .linear(let result)): precondition(result.size == branch.size)
      case (.counted, .counted), (_, .skipped): break
      default: preconditionFailure("A destination is not of the kind of its output.")
      }
    }
  }

  private func check(_ frame: CodedFrame, _ format: PixelFormat) throws(RenderingError) {
    guard frame.format == format else { throw .formatMismatch(expected: format, actual: frame.format) }
  }
}

// MARK: - The loop over bands

extension FrameRenderer {
  /// A picture, either a frame or one of its fields, and the requested outputs.
  private struct Job {
    let picture: CodedFrame
    let ends: PictureEnds
    let trunk: [any Stage]
    let field: Field?
    /// In processing order.
    let wanted: [Int]
    let destinations: [Destination]
    /// A linear output that receives the unpacked light directly, because no other output needs it.
    let carrier: LinearFrame?
    /// Position of the picture in the dither mask.
    var origin: MaskOrigin { MaskOrigin(picture.sourceTime) }
  }

  private func job(
    _ frame: CodedFrame, _ ends: PictureEnds, _ field: Field?, _ wanted: [Int], _ destinations: [Destination],
    trunk: [any Stage]? = nil
  ) -> Job {
    var carrier: LinearFrame?
    if let last = wanted.last, case .linear(let result) = destinations[last], ends.halo == .none { carrier = result }
    return Job(
      picture: field.map(frame.field) ?? frame, ends: ends, trunk: trunk ?? self.trunk, field: field, wanted: wanted,
      destinations: field.map { field in
        destinations.indices.map { wanted.contains($0) ? destinations[$0].field(field) : .skipped }
      } ?? destinations, carrier: carrier)
  }

  private func run(_ jobs: [Job]) {
    pool.forEachBand(of: jobs[0].picture.size.height, span: bandHeight * rowStep, pictures: jobs.count) {
      [self] rows, index, worker in
      renderBand(rows, of: jobs[index], worker)
    }
  }

  private func renderBand(_ own: Range<Int>, of job: Job, _ worker: Int) {
    if job.carrier != nil || !job.trunk.isEmpty || job.wanted.contains(where: { needsLight($0, own, job) }) {
      renderLight(own, of: job, worker)
    }
    for index in job.wanted where branches[index].keepsCodes { keepCodes(own, of: index, job) }
  }

  private func renderLight(_ own: Range<Int>, of job: Job, _ worker: Int) {
    let (workspace, height) = (workspaces[worker], job.picture.size.height)
    let needed = job.ends.halo.around(own, of: height)
    let light =
      unsafe job.carrier?.band(rows: needed, of: job.field)
      ?? workspace.light.band(
        rows: needed, own: own, width: job.picture.size.width, step: rowStep, field: job.field)
    unsafe job.ends.unpacker.unpack(job.picture, into: light, using: workspace.unpack)
    for stage in job.trunk { unsafe stage.process(light, tier: tier, worker: worker) }
    for index in job.wanted {
      let rows = unsafe light.part((job.ends.packers[index]?.halo ?? .none).around(own, of: height))
      let isLast = index == job.wanted.last
      let band = unsafe isLast || !branches[index].changesLight ? rows : workspace.copy.copied(rows)
      unsafe finish(band, own, index, job, worker)
    }
  }

  /// Whether rows of an output need more than the code values of the source.
  private func needsLight(_ output: Int, _ own: Range<Int>, _ job: Job) -> Bool {
    let branch = branches[output]
    return !branch.keepsCodes || !branch.stages.isEmpty
      || job.destinations[output].overlay?.reaches(own, in: job.field) == true
  }

  /// Copies the code values of the source to rows of an output, around its graphics.
  private func keepCodes(_ own: Range<Int>, of output: Int, _ job: Job) {
    guard case .coded(let result, let overlay) = job.destinations[output], result.owner !== job.picture.owner else {
      return
    }
    if let overlay, overlay.reaches(own, in: job.field) {
      overlay.copyCodes(rows: own, of: job.picture, to: result, field: job.field)
    } else {
      job.picture.copyCodes(rows: own, to: result)
    }
  }

  /// Converts the light of a band to one output.
  private func finish(_ band: LinearBand, _ own: Range<Int>, _ output: Int, _ job: Job, _ worker: Int) {
    let branch = branches[output]
    for stage in branch.stages { unsafe stage.process(band, tier: tier, worker: worker) }
    switch job.destinations[output] {
    case .coded(_, let overlay) where branch.keepsCodes && overlay?.reaches(own, in: job.field) != true: break
    case .coded(let result, let overlay):
      unsafe job.ends.packers[output]?.pack(
        band, rows: own, into: result, under: overlay, dither: job.origin, using: workspaces[worker].pack)
    case .linear(let result):
      if result !== job.carrier { unsafe result.band(rows: own, of: job.field).update(from: band) }
    case .counted, .skipped: break
    }
  }

  /// Renders the light of the whole frame first: a band of the result needs a column of every row.
  private func renderTurned(_ frame: CodedFrame, by upright: LinearFrame, into destinations: [Destination]) {
    let light = PictureEnds(unpacker: picture.unpacker, packers: [])
    run([Job(picture: frame, ends: light, trunk: trunk, field: nil, wanted: [], destinations: [], carrier: upright)])
    let job = Job(
      picture: frame, ends: picture, trunk: [], field: nil, wanted: [], destinations: destinations, carrier: nil)
    for index in order where !destinations[index].isSkipped {
      let (branch, height) = (branches[index], branches[index].size.height)
      pool.forEachBand(of: height, span: bandHeight) { [self] own, _, worker in
        let needed = (branch.packer?.halo ?? .none).around(own, of: height)
        let light = unsafe workspaces[worker].light.band(rows: needed, own: own, width: branch.size.width)
        unsafe upright.gather(branch.output.orientation, into: light, tier: tier)
        unsafe finish(light, own, index, job, worker)
        if branch.keepsCodes { keepCodes(own, of: index, job) }
      }
    }
  }
}

internal import FFmpegIO
internal import Frames
internal import ImageFiles
package import Media
internal import Rendering
internal import Scopes

extension Session {
  /// Resolves a request against its input.
  /// - Throws: `Refusal` for impossible requests, or the error of a library.
  public func plan(_ request: ScopesRequest) throws -> ScopesPlan {
    try request.validate()
    try request.checkFiles()
    let state = InputState(request.input, request.selection)
    let reader = try request.input.open(threads: request.processing.threadCount)
    let first = try reader.firstFrame(of: request.selection)
    let plan = try ScopesPlan(request, reader: reader, first: first)
    warn(reader.colorWarnings + plan.source.warnings)
    note(reader.readerNotes + plan.notes)
    keep(OpenedInput(reader: reader, first: first, state: state), for: plan)
    return plan
  }

  /// Runs a plan.
  /// - Returns: The outcome; written files are complete even after `cancel()`.
  /// - Throws: The error that left the output missing or incomplete.
  @discardableResult
  public func run(_ plan: ScopesPlan) throws -> Outcome {
    let request = plan.request
    let input = try takeInput(of: plan)
    let reader = input.reader
    let drawing = try ScopesDrawing(plan)
    return try running {
      let data = try request.data.map { try OpenOutputFile($0, replaces: request.overwrites) }
      // Leave nothing unfinished behind.
      defer { data?.discard() }
      if let file = data?.file { removing { file.discard() } }
      var run = Run(reader, plan.selection, to: try plan.makeOutput())
      run.input = input.state
      return try conclude(perform(run) { frame in try drawing.draw(frame, data) }, reader, request.selection) {
        try data?.commit()
      }
    }
  }

  /// Makes a plan and runs it.
  /// - Throws: As `plan(_:)` and `run(_:)`.
  @discardableResult
  public func run(_ request: ScopesRequest) throws -> Outcome { try run(plan(request)) }
}

extension ScopesPlan: InputPlan {
  package func openReader() throws -> any MediaInput { try request.input.open(threads: request.processing.threadCount) }
}

extension ScopesRequest {
  /// Checks the files before the work begins.
  package func checkFiles() throws {
    var names: FileNames?
    if let output, output != "-" {
      if pictureFormat != nil {
        let pictures = try FileNames.checked(output)
        names = pictures
        try OutputPath(output).check(
          pictures, from: selection.range?.first ?? 0, count: nil, hasSidecars: false, reading: filesRead,
          overwrites: overwrites)
      } else {
        try OutputPath(output).check(reading: filesRead, overwrites: overwrites)
      }
    }
    guard let data else { return }
    try OutputPath(data).checkBeside(
      .data, reading: filesRead, outputs: [(.output, output)], names: names, overwrites: overwrites)
  }
}

extension ScopesPlan {
  fileprivate func makeOutput() throws -> any OutputSink {
    switch form {
    case .video(let video): return try MediaWriter(video.settings())
    case .pictures(let format):
      var settings = ImageFileWriter.Settings(
        names: try FileNames.checked(request.url), encoder: format.encoder())
      settings.replacesFiles = request.overwrites
      settings.firstNumber = selection.selection.range?.first ?? 0
      settings.threads = request.processing.threadCount
      return try ImageFileWriter(settings)
    }
  }
}

/// Counts frames as shown, and draws the scopes.
private final class ScopesDrawing {
  private let plan: ScopesPlan
  private let painter: ScopePainter
  private let analyzer: FrameScopeAnalyzer
  private var counts: ScopeCounts
  /// Converts painted pictures to the output's format; nil if they are the same.
  private let renderer: FrameRenderer?
  private let painted: CodedFrame
  private let pool: FramePool
  private var frames = 0

  init(_ plan: ScopesPlan) throws {
    self.plan = plan
    let processing = plan.request.processing
    let workers = WorkerPool(count: processing.threads)
    painter = try plan.painter()
    let format = plan.source.reading(plan.decoded)
    analyzer = try FrameScopeAnalyzer(
      format: format, content: plan.source.interpretation, sdrWhite: plan.request.sdrWhite, settings: plan.settings(),
      orientation: plan.geometry.orientation, tier: processing.kernels, pool: workers)
    counts = ScopeCounts(size: format.size, columns: 0)
    let drawn = ScopePainter.format(painter.layout.size)
    painted = CodedFrame(size: drawn.size, layout: drawn.layout, color: drawn.color)
    pool = FramePool(plan.target.format)
    renderer =
      plan.target.format == drawn
      ? nil
      : try FrameRenderer(
        source: FrameRenderer.Endpoint(format: drawn, transfer: .sRGB(peak: 1)), stages: [], target: plan.target,
        dither: false, tier: processing.kernels, pool: workers)
  }

  /// - Throws: `Refusal` if the stream changes, because axes and graticules depend on its tags.
  func draw(_ frame: CodedFrame, _ data: OpenOutputFile?) throws -> CodedFrame {
    guard frame.format == plan.decoded else {
      throw SourceFollower.refusal(frame)
    }
    try analyzer.count(frame.described(as: plan.source.color), into: &counts)
    if let data {
      try data.write(
        line: ScopeLine(
          counts, painter.layout.kinds, plan.request.plane ?? .ictcp, frame: frames, time: frame.time
        ).text)
    }
    frames += 1
    let result = pool.frame(time: frame.time, metadata: HDRMetadata())
    guard let renderer else {
      painter.paint(counts, into: result)
      return result
    }
    painter.paint(counts, into: painted)
    try renderer.render(painted, into: result)
    return result
  }
}

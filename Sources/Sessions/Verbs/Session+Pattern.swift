internal import FFmpegIO
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Media
public import Patterns
internal import Synchronization

extension Session {
  /// Resolves a request.
  /// - Parameters:
  ///   - request: The pattern and its file.
  ///   - writes: Files will be written, and are checked.
  /// - Throws: `Refusal` for impossible requests, `PatternError`, or the error of a library.
  public func plan(_ request: PatternRequest, writes: Bool = true) throws -> PatternPlan {
    try request.validate()
    let plan = try PatternPlan(request)
    if writes { try plan.checkFiles() }
    return plan
  }

  /// Runs a plan.
  /// - Returns: The light of the pattern, and the outcome; written files are complete even after `cancel()`.
  /// - Throws: The error that left the output missing or incomplete.
  @discardableResult
  public func run(_ plan: PatternPlan) throws -> (light: PatternLight, outcome: Outcome) {
    // Another process may have made the plan.
    try plan.request.validate()
    try plan.checkFiles()
    warn(plan.warnings)
    if case .failure(let error) = PatternPainter.lettering {
      warn("pattern-labels-omitted", "Labels are omitted. \(error)")
    }
    return try running {
      let light = try PatternLight(plan) { isCancelled }
      if isCancelled { return (light, .cancelled) }
      let metadata = plan.metadata(light)
      let output = try plan.makeOutput(metadata)
      var run = Run(source: try PatternSource(plan, metadata: metadata), to: output)
      (run.totalFrames, run.frameRate) = (plan.count, plan.request.frameRate.value)
      return (light, try conclude(perform(run)))
    }
  }
}

extension PatternPlan {
  /// Checks the files before the work begins.
  fileprivate func checkFiles() throws {
    let (output, overwrites) = (request.output, request.overwrites)
    if case .pictures(let format, _, _) = form {
      let names = try FileNames.checked(output)
      try OutputPath(output).check(
        names, from: 0, count: count, hasSidecars: format.isRaw, reading: [], overwrites: overwrites)
      _ = try OutputFile(names.name(0), replaces: overwrites)
    } else if output != "-" {
      try OutputPath(output).check(reading: [], overwrites: overwrites)
    }
  }

  fileprivate func makeOutput(_ metadata: HDRMetadata) throws -> any OutputSink {
    switch form {
    case .video(var video):
      video.metadata = metadata
      return try MediaWriter(video.settings())
    case .pictures(let format, let space, _):
      var settings = ImageFileWriter.Settings(
        names: try FileNames.checked(request.output),
        encoder: format.encoder(isLossless: true, pointScale: request.scale))
      settings.replacesFiles = request.overwrites
      settings.threads = ProcessInfo.processInfo.activeProcessorCount
      if let raw = RawFormat(rawValue: format.rawValue) {
        let (size, unit) = (pixelFormat.size, space.isLinear ? linearUnit : signal.peak)
        settings.sidecar = { times in
          RawSidecar(size: size, format: raw, space: space, white: unit, times: times).json
        }
      }
      return try ImageFileWriter(settings)
    }
  }
}

/// The frames of a pattern, painted once if they are identical.
private final class PatternSource: FrameSource {
  private let plan: PatternPlan
  private let pattern: TestPattern
  private let canvas: PatternCanvas
  private let metadata: HDRMetadata
  private let pool: FramePool
  private let isInterrupted = Atomic(false)
  private let state = Mutex(State())

  private struct State {
    var index = 0
    var first: CodedFrame?
  }

  /// - Parameter metadata: Metadata of every frame.
  init(_ plan: PatternPlan, metadata: HDRMetadata) throws {
    (self.plan, self.metadata) = (plan, metadata)
    pattern = try ChosenPattern(plan.request.pattern).pattern
    canvas = try plan.canvas()
    pool = FramePool(plan.pixelFormat)
  }

  func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  func read() -> StreamItem? {
    state.withLock { state in
      guard state.index < plan.count, !isInterrupted.load(ordering: .relaxed) else { return nil }
      let rate = plan.request.frameRate
      let time = FrameTime(
        presentation: Int64(state.index), duration: 1, timeBase: Rational(rate.denominator, rate.numerator))
      defer { state.index += 1 }
      if !pattern.isMoving, let first = state.first { return StreamItem(frame: first.at(time)) }
      let frame = pool.frame(time: time, metadata: metadata)
      paint(pattern.drawing(on: canvas, frame: state.index), into: frame)
      state.first = frame
      return StreamItem(frame: frame)
    }
  }

  private func paint(_ drawing: PatternDrawing, into frame: CodedFrame) {
    switch plan.form {
    case .video: PatternPainter(drawing).paint(into: frame)
    case .pictures(_, let space, _):
      PatternPicturePainter(plan.signal, in: space).paint(drawing, into: frame)
    }
  }
}

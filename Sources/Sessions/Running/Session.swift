internal import Foundation
internal import Frames
internal import Media
internal import StreamPipeline
internal import Synchronization

/// Plans requests and carries plans out, one at a time, and tells what happens meanwhile.
///
/// A request is resolved against its input into a plan (`plan(_:)`), which is a value: it can be printed, compared, and
/// sent to another process. `run(_:)` carries it out. Both block: keep them off Swift's cooperative pool. Events come to
/// the closure of `init` on the thread that they happen on, and to one iterator of `events`. A session that was cancelled
/// runs nothing more.
///
/// The same plan writes the same bytes, with one exception: libx264 shares tables between its encoders, and may code the
/// same frames differently while another of the process opens.
public final class Session: Sendable {
  /// What happens while a plan is made or carried out.
  public enum Event: Sendable {
    /// Something to say of the request, the input or the output.
    case diagnostic(Diagnostic, Diagnostic.Severity)
    /// Frames begin to move: from now on `cancel()` leads to an orderly end.
    case began
    /// Twice a second while frames move, and once after the last.
    case progress(Progress)
    /// The output is complete and in its place: what was done. Files beside it, such as a report, may still fail.
    case finished(Progress)
    /// Frames have ceased to move.
    case ended
  }

  /// How far a run is.
  public struct Progress: Sendable, Hashable, Codable {
    /// Frames that are through.
    public var frames = 0
    /// Wall-clock time since the beginning in seconds.
    public var seconds = 0.0
    /// Frames that will come, as far as the container tells.
    public var totalFrames: Int?
    /// Frames a second of the video.
    public var frameRate: Double?
    /// Bytes of the output; nil where there is none.
    public var bytes: Int?
    /// No progress follows.
    public var isLast = false

    /// Frames a second of the run.
    public var rate: Double { Double(frames) / max(seconds, 1e-6) }
  }

  /// How a run ended.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// What was selected is done.
    case finished
    /// `cancel()` was called; what was read before is complete.
    case cancelled
  }

  /// `cancel()` was called before there was anything to keep.
  public struct Cancellation: Error, Sendable, Hashable {}

  /// What is told, without limit for the closure; of `events` the latest are kept for whoever is late.
  public let events: AsyncStream<Event>
  let wording: Wording
  private let onEvent: (@Sendable (Event) -> Void)?
  private let continuation: AsyncStream<Event>.Continuation
  private let state = Mutex(State())

  private struct State {
    var isCancelled = false
    var pipeline: StreamPipeline?
    var discards: [@Sendable () -> Void] = []
    /// The latest plan and its input, at its first frame.
    var opened: (plan: AnyPlan, input: OpenedInput)?
  }

  /// Events that wait for an iterator of `events`.
  private static let keptEvents = 4096

  /// A session without a plan or a run yet.
  /// - Parameters:
  ///   - wording: Words for what a session writes for people, such as the warnings in a report.
  ///   - onEvent: Gets every event, on the thread that it happens on.
  public init(wording: Wording = .plain, onEvent: (@Sendable (Event) -> Void)? = nil) {
    self.wording = wording
    self.onEvent = onEvent
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.keptEvents))
  }

  deinit { continuation.finish() }

  /// Lets a run come to an orderly end, from any thread: what was read is finished.
  public func cancel() {
    state.withLock {
      $0.isCancelled = true
      $0.pipeline?.cancel()
    }
  }

  /// Removes what a run has not finished, from any thread, for a process that is about to end.
  public func discardUnfinished() {
    for discard in state.withLock({ $0.discards }) { discard() }
  }

  /// `cancel()` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func emit(_ event: Event) {
    onEvent?(event)
    continuation.yield(event)
  }

  func note(_ diagnostics: [Diagnostic]) { for each in diagnostics { emit(.diagnostic(each, .note)) } }

  func warn(_ diagnostics: [Diagnostic]) { for each in diagnostics { emit(.diagnostic(each, .warning)) } }
}

// MARK: - The input that a plan was made for

extension Session {
  /// An input that is open at the first frame of a selection.
  struct OpenedInput: Sendable {
    let reader: any MediaInput
    let first: CodedFrame
  }

  /// Keeps the input of a plan open, so that a run that follows need not open it again.
  func keep(_ input: OpenedInput, for plan: some InputPlan) {
    state.withLock { $0.opened = (plan.any, input) }
  }

  /// The input of a plan at its first frame: the one that was kept, or the plan's own where another session made it.
  func takeInput(of plan: some InputPlan) throws -> OpenedInput {
    let kept = state.withLock { state in
      defer { state.opened = nil }
      return state.opened
    }
    // Another plan's may be at another frame, or lack streams.
    if let kept, kept.plan == plan.any { return kept.input }
    // Another process may have made the plan.
    try plan.request.validate()
    try plan.request.checkFiles()
    return try openInput(of: plan)
  }

  /// The input of a plan at its first frame.
  /// - Throws: `Refusal` where it is not what the plan was made for.
  func openInput(of plan: some InputPlan) throws -> OpenedInput {
    let reader = try plan.openReader()
    let first = try reader.firstFrame(of: plan.request.selection)
    guard first.format == plan.decoded else {
      throw Refusal.failed(.input(.differsFromPlan(name: plan.request.input.name)))
    }
    return OpenedInput(reader: reader, first: first)
  }
}

// MARK: - The one run loop

extension Session {
  /// Frames that move from a source to a sink, and what becomes of the output.
  struct Run {
    var source: any FrameSource
    var sink: any FrameSink
    /// The input's name; nil where there is none, and no frame is no error.
    var inputName: String?
    /// nil where nothing is written.
    var output: (any OutputSink)?
    var totalFrames: Int?
    var frameRate: Double?
    /// What comes before an error of the input is put in place.
    var salvages = false

    /// Frames that are not read from an input.
    init(source: any FrameSource, output: any OutputSink) {
      (self.source, sink, self.output) = (source, output, output)
    }

    /// The selected frames of an input, written to a sink that keeps nothing by itself.
    init(_ reader: any MediaInput, _ selection: SelectionPlan, into sink: any FrameSink) {
      source = SelectedMedia(reader, selection)
      self.sink = sink
      inputName = reader.info.url
      totalFrames = selection.selection.expectedFrames(of: reader)
      frameRate = reader.video.frameRate?.value
    }

    /// The selected frames of an input, and the packets of the streams that are passed.
    init(_ reader: any MediaInput, _ selection: SelectionPlan, passed: [Int] = [], to output: any OutputSink) {
      self.init(reader, selection, into: output)
      self.output = output
      source = SelectedMedia(reader, selection, passed: passed)
    }
  }

  /// What a run came to.
  struct RunResult {
    var progress: Progress
    var outcome: Outcome
    var pipeline: StreamPipeline.Progress
    var losses: OutputLosses
  }

  /// Moves all frames, to the end or until `cancel()`, and finishes the output.
  /// - Parameter render: Makes the frame that is written from one that was read.
  /// - Returns: What was done, and whether it was cut short.
  /// - Throws: The first error; nothing unfinished is left then.
  @discardableResult
  func perform(
    _ run: Run, _ render: (CodedFrame) throws -> CodedFrame = { $0 }
  ) throws -> RunResult {
    let pipeline = StreamPipeline(source: run.source, sink: run.sink)
    follow(pipeline)
    defer { follow(nil) }
    let ticker = ProgressTicker(self, pipeline, run)
    ticker.begin()
    var losses = OutputLosses()
    let outcome: StreamPipeline.Outcome
    do {
      outcome = try pipeline.run(render)
      if pipeline.progress.frames > 0 {
        losses = try run.output?.finish() ?? losses
      } else if outcome == .finished, let name = run.inputName {
        throw Refusal.failed(.input(.nothingSelected(name: name)))
      } else {
        // Cancelled before there was anything to keep.
        run.output?.cancel()
      }
      ticker.end()
    } catch {
      ticker.end()
      if run.salvages, pipeline.progress.frames > 0 { _ = try? run.output?.finish() }
      run.output?.cancel()
      throw error
    }
    return RunResult(
      progress: ticker.progress, outcome: outcome == .finished ? .finished : .cancelled, pipeline: pipeline.progress,
      losses: losses)
  }

  /// Says what a run has lost and what of its input was damaged.
  /// - Throws: What the output lacks.
  func conclude(_ done: RunResult, _ reader: (any MediaInput)? = nil) throws -> Outcome {
    warn(done.losses.diagnostics)
    if let failure = done.losses.failure { throw failure }
    warn(reader?.damage ?? [])
    emit(.finished(done.progress))
    return isCancelled ? .cancelled : .finished
  }

  /// A pipeline that is cancelled already runs to no frame.
  private func follow(_ pipeline: StreamPipeline?) {
    state.withLock {
      $0.pipeline = pipeline
      if $0.isCancelled { pipeline?.cancel() }
    }
  }

  /// Runs `body` between the events that say so, with what is removed when a process ends in it.
  func running<Result>(discards: [@Sendable () -> Void] = [], _ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.discards += discards }
    emit(.began)
    defer {
      state.withLock { $0.discards = [] }
      emit(.ended)
    }
    return try body()
  }

  /// Adds to what is removed when a process ends in a run.
  func removing(_ discard: @escaping @Sendable () -> Void) { state.withLock { $0.discards.append(discard) } }
}

internal import Foundation
internal import Frames
internal import Media
internal import StreamPipeline
internal import Synchronization

/// Plans requests and runs plans, one at a time, and reports events.
///
/// `plan(_:)` resolves a request against its input. The plan is a value: it can be printed, compared, and sent to
/// another process. `run(_:)` carries it out. Both block: keep them off Swift's cooperative pool. Events go to the
/// closure passed to `init`, on the thread where they happen, and to one iterator of `events`. A cancelled session runs
/// nothing more.
///
/// With the same input and kernels, a plan always produces the same frames, and with the same number of threads the same
/// bytes. There are two exceptions: Matroska files have a random identifier, and libx264 shares tables between its
/// encoders, so it may code the same frames differently while another one opens in the same process.
public final class Session: Sendable {
  /// What happens while a plan is made or run.
  public enum Event: Sendable {
    /// Something to report about the request, the input or the output.
    case diagnostic(Diagnostic, Diagnostic.Severity)
    /// Frames start to move: from now on `cancel()` leads to an orderly end.
    case began
    /// Twice a second while frames move, and once after the last.
    case progress(Progress)
    /// The output is complete and in its place: what was done. Files beside it, such as a report, may still fail.
    case finished(Progress)
    /// Frames have stopped moving.
    case ended
  }

  /// The progress of a run.
  public struct Progress: Sendable, Hashable, Codable {
    /// Frames processed.
    public var frames = 0
    /// Wall-clock time since the start in seconds.
    public var seconds = 0.0
    /// Expected number of frames, if the container tells.
    public var totalFrames: Int?
    /// Frame rate of the video.
    public var frameRate: Double?
    /// Bytes of the output; nil if there is none.
    public var bytes: Int?
    /// No further progress follows.
    public var isLast = false

    /// Processing rate in frames per second.
    public var rate: Double { Double(frames) / max(seconds, 1e-6) }
  }

  /// How a run ended.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The whole selection was processed.
    case finished
    /// `cancel()` was called; the output is complete up to that point.
    case cancelled
  }

  /// `cancel()` was called before there was any output.
  public struct Cancellation: Error, Sendable, Hashable {}

  /// All events. The closure gets them immediately; the stream buffers the latest.
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

  /// Events buffered for iterators of `events`.
  private static let keptEvents = 4096

  /// A session that has not planned or run anything.
  /// - Parameters:
  ///   - wording: The wording of what a session writes for people, such as warnings in a report.
  ///   - onEvent: Gets every event, on the thread where it happens.
  public init(wording: Wording = .plain, onEvent: (@Sendable (Event) -> Void)? = nil) {
    self.wording = wording
    self.onEvent = onEvent
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.keptEvents))
  }

  deinit { continuation.finish() }

  /// Ends a run in order, from any thread: what was read is finished.
  public func cancel() {
    state.withLock {
      $0.isCancelled = true
      $0.pipeline?.cancel()
    }
  }

  /// Removes unfinished output, from any thread, for a process that is about to exit.
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
  /// An open input, positioned at the first frame of a selection.
  struct OpenedInput: Sendable {
    let reader: any MediaInput
    let first: CodedFrame
  }

  /// Keeps a plan's input open, so that a following run need not reopen it.
  func keep(_ input: OpenedInput, for plan: some InputPlan) {
    state.withLock { $0.opened = (plan.any, input) }
  }

  /// The input of a plan at its first frame: the one that was kept, or a newly opened one if another session made the
  /// plan.
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
  /// - Throws: `Refusal` if it is not the input that the plan was made for.
  func openInput(of plan: some InputPlan) throws -> OpenedInput {
    let reader = try plan.openReader()
    let first = try reader.firstFrame(of: plan.request.selection)
    guard first.format == plan.decoded, try Checksum.of(reader, first) == plan.inputChecksum else {
      throw Refusal.failed(.input(.differsFromPlan(name: plan.request.input.name)))
    }
    return OpenedInput(reader: reader, first: first)
  }
}

// MARK: - The one run loop

extension Session {
  /// The movement of frames from a source to a sink, and its output.
  struct Run {
    var source: any FrameSource
    var sink: any FrameSink
    /// The input's name; nil if there is none, in which case it is not an error to have no frames.
    var inputName: String?
    /// nil if nothing is written.
    var output: (any OutputSink)?
    var totalFrames: Int?
    var frameRate: Double?
    /// What precedes an error of the input is committed.
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

    /// The selected frames of an input, and the packets of the passed streams.
    init(_ reader: any MediaInput, _ selection: SelectionPlan, passed: [Int] = [], to output: any OutputSink) {
      self.init(reader, selection, into: output)
      self.output = output
      source = SelectedMedia(reader, selection, passed: passed)
    }
  }

  /// The result of a run.
  struct RunResult {
    var progress: Progress
    var outcome: Outcome
    var pipeline: StreamPipeline.Progress
    var losses: OutputLosses
  }

  /// Moves all frames, until the end or `cancel()`, and finishes the output.
  /// - Parameter render: Makes the frame to write from one that was read.
  /// - Returns: What was done, and whether it was cancelled.
  /// - Throws: The first error; nothing unfinished is left behind.
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
        // Cancelled before there was any output.
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

  /// Reports losses of the output and damage of the input.
  /// - Throws: The failure if the output is incomplete.
  func conclude(_ done: RunResult, _ reader: (any MediaInput)? = nil) throws -> Outcome {
    warn(done.losses.diagnostics)
    if let failure = done.losses.failure { throw failure }
    warn(reader?.damage ?? [])
    emit(.finished(done.progress))
    return isCancelled ? .cancelled : .finished
  }

  /// A pipeline that is already cancelled renders no frame.
  private func follow(_ pipeline: StreamPipeline?) {
    state.withLock {
      $0.pipeline = pipeline
      if $0.isCancelled { pipeline?.cancel() }
    }
  }

  /// Runs `body` between `.began` and `.ended`, with closures that remove unfinished output if the process exits
  /// meanwhile.
  func running<Result>(discards: [@Sendable () -> Void] = [], _ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.discards += discards }
    emit(.began)
    defer {
      state.withLock { $0.discards = [] }
      emit(.ended)
    }
    return try body()
  }

  /// Adds a closure that runs if the process exits during a run.
  func removing(_ discard: @escaping @Sendable () -> Void) { state.withLock { $0.discards.append(discard) } }
}

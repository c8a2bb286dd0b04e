internal import Foundation
package import Frames
package import Media
public import StreamPipeline
package import Synchronization

/// An event of a module that runs sessions.
public protocol SessionEvent: Sendable {}

/// Plans requests and runs plans, one at a time, and reports events.
///
/// `plan(_:)` resolves a request against its input. The plan is a value: it can be printed, compared, and sent to
/// another process. `run(_:)` carries it out. Both block: keep them off Swift's cooperative pool. Events go to the
/// closure passed to `init`, on the thread where they occur, and to one iterator of `events`. A cancelled session runs
/// nothing more.
///
/// With the same input and kernels, a plan always produces the same frames, and with the same number of threads the
/// same bytes. There are two exceptions: Matroska files have a random identifier, and libx264 shares tables between its
/// encoders, so it may code the same frames differently while another one opens in the same process.
public final class Session: Sendable {
  /// An event while a plan is made or run. A measuring pass before a run has its own events, from `.began` to `.ended`.
  public enum Event: Sendable {
    /// A message about the request, the input or the output.
    case message(Message, Message.Severity)
    /// Frames start to move: from now on `cancel()` ends the run in order.
    case began
    /// Twice a second while frames move, and once after the last.
    case progress(Progress)
    /// An event of the frame pipeline, such as a drop, a pause, a change, or the failure of one of several outputs.
    case pipeline(StreamPipeline.Event)
    /// An event of a module that runs sessions, such as the conversion of several films.
    case module(any SessionEvent)
    /// The outputs, and the files beside them, are complete and in place: the final progress. Not sent if nothing was
    /// written. If the input ended early, or the report cannot be written, `run` still fails.
    case finished(Progress)
    /// Frames have stopped moving.
    case ended
  }

  /// The progress of a run.
  public struct Progress: Sendable, Hashable, Codable {
    /// Number of frames processed.
    public var frames = 0
    /// Wall-clock time since the start in seconds.
    public var seconds = 0.0
    /// Expected number of frames, if the container states it.
    public var totalFrames: Int?
    /// Frame rate of the video.
    public var frameRate: Double?
    /// Bytes of the output; nil: none.
    public var bytes: Int?
    /// No further progress follows.
    public var isLast = false

    package init(
      frames: Int = 0, seconds: Double = 0, totalFrames: Int? = nil, frameRate: Double? = nil, bytes: Int? = nil,
      isLast: Bool = false
    ) {
      (self.frames, self.seconds, self.totalFrames) = (frames, seconds, totalFrames)
      (self.frameRate, self.bytes, self.isLast) = (frameRate, bytes, isLast)
    }

    /// Processing rate in frames per second.
    public var rate: Double { Double(frames) / max(seconds, 1e-6) }
  }

  /// The outcome of a run.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The whole selection was processed.
    case finished
    /// `cancel()` was called; the output is complete up to that point.
    case cancelled
  }

  /// `cancel()` was called before there was any output.
  public struct Cancellation: Error, Sendable, Hashable {
    package init() {}
  }

  /// All events. The closure receives them immediately; the stream buffers the latest.
  public let events: AsyncStream<Event>
  package let wording: Wording
  /// Plans are made but not run: a capture device is left unchanged.
  package let onlyPlans: Bool
  private let onEvent: (@Sendable (Event) -> Void)?
  private let onReport: (@Sendable (String) -> Void)?
  private let continuation: AsyncStream<Event>.Continuation
  package let state = Mutex(State())

  package struct State {
    var isCancelled = false
    /// The current run is paused, or the next one will start paused.
    var isPaused = false
    /// The current run, and its renderer if it can be changed.
    var run: (pipeline: StreamPipeline, renderer: StreamRenderer?)?
    /// Closures that remove unfinished files, by number.
    var discards: [Int: @Sendable () -> Void] = [:]
    var discardCount = 0
    /// Depth of nested runs, such as the passes of one run.
    var depth = 0
    /// Name of the latest run's partial output, if the run was stopped.
    package var partialName: String?
    /// Called by `cancel()`.
    package var onCancel: (@Sendable () -> Void)?
    /// The latest plan and its input, at its first frame.
    var opened: (plan: AnyPlan, input: OpenedInput)?
    /// The subtitles read last, kept while a plan or run draws them.
    var subtitles: (plan: SubtitlePlan, input: InputRequest, track: SubtitleTrack)?
    /// The latest plan of a kind that only one module runs, and its input.
    package var kept: (plan: any Sendable, input: OpenedInput)?
  }

  /// Events buffered for iterators of `events`.
  private static let keptEvents = 4096

  /// A new session.
  /// - Parameters:
  ///   - wording: Wording of texts for users, such as warnings in a report.
  ///   - onlyPlans: Plans are not run: a capture device is left unchanged, and not read.
  ///   - onEvent: Receives every event, on the thread where it occurs.
  ///   - onReport: Receives reports requested on standard output; nil: they are written there.
  public init(
    wording: Wording = .plain, onlyPlans: Bool = false, onEvent: (@Sendable (Event) -> Void)? = nil,
    onReport: (@Sendable (String) -> Void)? = nil
  ) {
    (self.wording, self.onlyPlans, self.onEvent, self.onReport) = (wording, onlyPlans, onEvent, onReport)
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.keptEvents))
  }

  deinit { continuation.finish() }

  /// Cancels a run in order, from any thread: frames already read are finished.
  public func cancel() {
    let onCancel = state.withLock {
      $0.isCancelled = true
      $0.run?.pipeline.cancel()
      return $0.onCancel
    }
    onCancel?()
  }

  /// Calls a closure on `cancel()`, or now if already cancelled.
  package func onCancel(_ body: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock {
      $0.onCancel = body
      return $0.isCancelled
    }
    if isCancelled { body() }
  }

  /// Writes a report to the file named by a request, or passes it on.
  /// - Parameter file: nil: standard output.
  package func write(report: String, to file: OutputFile?) throws {
    if file == nil, let onReport { return onReport(report) }
    try (file ?? OutputFile("-", replaces: true)).write(report)
  }

  /// Removes unfinished output before the process exits, from any thread.
  public func discardUnfinished() {
    for discard in state.withLock({ $0.discards }).values { discard() }
  }

  /// `cancel()` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Name of the latest run's partial output, if the run was stopped.
  package var partialName: String? { state.withLock { $0.partialName } }

  package func emit(_ event: Event) {
    onEvent?(event)
    continuation.yield(event)
  }

  package func note(_ code: Message.Code, _ text: MessageText) { note([Message(code, text)]) }

  package func warn(_ code: Message.Code, _ text: MessageText) { warn([Message(code, text)]) }

  package func note(_ messages: [Message]) { for each in messages { emit(.message(each, .note)) } }

  package func warn(_ messages: [Message]) { for each in messages { emit(.message(each, .warning)) } }

  /// - Throws: `Refusal.strict` if there is a warning and the request is strict.
  package func warn(_ messages: [Message], isStrict: Bool) throws(Refusal) {
    if isStrict, let first = messages.first { throw .strict(first) }
    warn(messages)
  }
}

// MARK: - The input of a plan

extension Session {
  /// An open input, positioned at the first frame of a selection.
  package struct OpenedInput: Sendable {
    package let reader: any MediaInput
    package let first: CodedFrame
    /// Its state on opening.
    package let state: InputState

    package init(reader: any MediaInput, first: CodedFrame, state: InputState) {
      (self.reader, self.first, self.state) = (reader, first, state)
    }
  }

  /// Keeps a plan's input open, so that a subsequent run need not reopen it.
  func keep(_ input: OpenedInput, for plan: some InputPlan) {
    state.withLock { $0.opened = (plan.any, input) }
  }

  /// Returns the input of a plan at its first frame: the one that was kept, or a newly opened one if another session
  /// made the plan.
  package func takeInput(of plan: some InputPlan) throws -> OpenedInput {
    let kept = state.withLock { state in
      defer { state.opened = nil }
      return state.opened
    }
    // The input of another plan may be at another frame, or lack streams.
    if let kept, kept.plan == plan.any { return kept.input }
    // Another process may have made the plan.
    try plan.request.validate()
    try plan.request.checkFiles()
    return try openInput(of: plan)
  }

  /// Opens the input of a plan at its first frame.
  /// - Throws: `Refusal` if it differs from the input at planning time.
  package func openInput(of plan: some InputPlan) throws -> OpenedInput {
    let state = InputState(plan.request.input, plan.request.selection)
    let reader = try plan.openReader()
    let first = try reader.firstFrame(of: plan.request.selection)
    guard first.format == plan.decoded, try Checksum.of(reader, first) == plan.inputChecksum else {
      throw Refusal.failed(.inputDiffersFromPlan(plan.request.input.name))
    }
    return OpenedInput(reader: reader, first: first, state: state)
  }
}

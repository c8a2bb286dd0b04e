internal import Foundation
package import Frames
package import Media
public import StreamPipeline
package import Synchronization

/// What a module that runs sessions reports.
public protocol SessionEvent: Sendable {}

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
  /// What happens while a plan is made or run. A pass that measures before a run has events of its own, from `.began` to
  /// `.ended`.
  public enum Event: Sendable {
    /// Something to report about the request, the input or the output.
    case message(Message, Message.Severity)
    /// Frames start to move: from now on `cancel()` leads to an orderly end.
    case began
    /// Twice a second while frames move, and once after the last.
    case progress(Progress)
    /// Something that happened to the frames on their way, such as a drop, a pause, a change, or the failure of one of
    /// several outputs.
    case pipeline(StreamPipeline.Event)
    /// An event of a module that runs sessions, such as the conversion of many films.
    case module(any SessionEvent)
    /// The outputs, and the files beside them, are complete and in their places: what was done. There is none if nothing
    /// was written. If the input ended early, or the report cannot be written, `run` still fails.
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

  /// How a run ended.
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

  /// All events. The closure gets them immediately; the stream buffers the latest.
  public let events: AsyncStream<Event>
  package let wording: Wording
  /// Plans are made and not run: a capture device stays as it is.
  package let onlyPlans: Bool
  private let onEvent: (@Sendable (Event) -> Void)?
  private let onReport: (@Sendable (String) -> Void)?
  private let continuation: AsyncStream<Event>.Continuation
  package let state = Mutex(State())

  package struct State {
    var isCancelled = false
    /// The run in progress is paused, or the next one begins so.
    var isPaused = false
    /// The run in progress; the renderer if it can be changed.
    var run: (pipeline: StreamPipeline, renderer: StreamRenderer?)?
    /// What removes unfinished files, by number.
    var discards: [Int: @Sendable () -> Void] = [:]
    var discardCount = 0
    /// Runs that are within each other, as the passes of one are.
    var depth = 0
    /// What the output of the latest run is named, if the run was stopped before its end.
    package var partialName: String?
    /// Is told of `cancel()`.
    package var onCancel: (@Sendable () -> Void)?
    /// The latest plan and its input, at its first frame.
    var opened: (plan: AnyPlan, input: OpenedInput)?
    /// The subtitles that were read last, for as long as there is a plan or a run that draws them.
    var subtitles: (plan: SubtitlePlan, input: InputRequest, track: SubtitleTrack)?
    /// The same of a plan that only one module runs.
    package var kept: (plan: any Sendable, input: OpenedInput)?
  }

  /// Events buffered for iterators of `events`.
  private static let keptEvents = 4096

  /// A session that has not planned or run anything.
  /// - Parameters:
  ///   - wording: The wording of what a session writes for people, such as warnings in a report.
  ///   - onlyPlans: Its plans are not run: a capture device stays as it is, and nothing is read of it.
  ///   - onEvent: Gets every event, on the thread where it happens.
  ///   - onReport: Gets the reports that a request wants on standard output; nil: they are written there.
  public init(
    wording: Wording = .plain, onlyPlans: Bool = false, onEvent: (@Sendable (Event) -> Void)? = nil,
    onReport: (@Sendable (String) -> Void)? = nil
  ) {
    (self.wording, self.onlyPlans, self.onEvent, self.onReport) = (wording, onlyPlans, onEvent, onReport)
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.keptEvents))
  }

  deinit { continuation.finish() }

  /// Ends a run in order, from any thread: what was read is finished.
  public func cancel() {
    let onCancel = state.withLock {
      $0.isCancelled = true
      $0.run?.pipeline.cancel()
      return $0.onCancel
    }
    onCancel?()
  }

  /// Calls a closure at `cancel()`, or now if that was called before.
  package func onCancel(_ body: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock {
      $0.onCancel = body
      return $0.isCancelled
    }
    if isCancelled { body() }
  }

  /// Writes a report to the file that a request names, or passes it on.
  /// - Parameter file: nil: standard output.
  package func write(report: String, to file: OutputFile?) throws {
    if file == nil, let onReport { return onReport(report) }
    try (file ?? OutputFile("-", replaces: true)).write(report)
  }

  /// Removes unfinished output, from any thread, for a process that is about to exit.
  public func discardUnfinished() {
    for discard in state.withLock({ $0.discards }).values { discard() }
  }

  /// `cancel()` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// What the output of the latest run is named, if the run was stopped before its end.
  package var partialName: String? { state.withLock { $0.partialName } }

  package func emit(_ event: Event) {
    onEvent?(event)
    continuation.yield(event)
  }

  package func note(_ code: Message.Code, _ text: MessageText) { note([Message(code, text)]) }

  package func warn(_ code: Message.Code, _ text: MessageText) { warn([Message(code, text)]) }

  package func note(_ messages: [Message]) { for each in messages { emit(.message(each, .note)) } }

  package func warn(_ messages: [Message]) { for each in messages { emit(.message(each, .warning)) } }

  /// - Throws: `Refusal.strict` if there is one and the request is strict.
  package func warn(_ messages: [Message], isStrict: Bool) throws(Refusal) {
    if isStrict, let first = messages.first { throw .strict(first) }
    warn(messages)
  }
}

// MARK: - The input that a plan was made for

extension Session {
  /// An open input, positioned at the first frame of a selection.
  package struct OpenedInput: Sendable {
    package let reader: any MediaInput
    package let first: CodedFrame
    /// As it was when it was opened.
    package let state: InputState

    package init(reader: any MediaInput, first: CodedFrame, state: InputState) {
      (self.reader, self.first, self.state) = (reader, first, state)
    }
  }

  /// Keeps a plan's input open, so that a following run need not reopen it.
  func keep(_ input: OpenedInput, for plan: some InputPlan) {
    state.withLock { $0.opened = (plan.any, input) }
  }

  /// The input of a plan at its first frame: the one that was kept, or a newly opened one if another session made the
  /// plan.
  package func takeInput(of plan: some InputPlan) throws -> OpenedInput {
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

internal import Frames
public import Media
internal import Synchronization
package import Threads

/// Moves frames from one source through rendering to one or more outputs: in order, bounded, cancellable and measured.
///
/// Reading has its own thread, and so does each sink; rendering runs on the caller's thread. With a file and one
/// output, one frame is read while the previous one is rendered and the one before that is written.
///
/// **Memory.** At most `framesInFlight` frames are alive. For n outputs that is
///
///     (w₀ + 2) + (w₁ + 2) + ... + (wₙ + 2)
///
/// w₀ is the maximum number of frames queued for rendering: `depth` for a file, `capacity` for a live source. One more
/// is being read or delivered, and one rendered; with a window, the last one is kept. wᵢ is the maximum number of
/// frames queued for output i: `depth` with `.everyFrame`, 1 with `.latest`, k with `.buffered(k, thenDrop:)`. One more
/// is being rendered, and one written. A file with one output thus takes 2 · depth + 4. Decoders, encoders and devices
/// hold more frames internally.
///
/// Passing data is never dropped. With a file and `.everyFrame` it is bounded, because reading waits. Otherwise it
/// accumulates while a sink that takes it stalls.
///
/// **Waiting.** An output with `.everyFrame` blocks all others while its sink is busy; an output that drops frames
/// blocks none. `run` returns after every sink has returned from its last call. An optional output that drops frames,
/// and still has some one second after all others have finished, is interrupted (`FrameSink.interrupt()`).
public final class StreamPipeline: Sendable {
  /// The outcome of a run.
  public enum Outcome: Sendable, Hashable {
    /// The source ended, and every output that has not failed contains all frames that its policy allows.
    case finished
    /// `cancel()` was called. Every frame already read was still rendered and offered to the outputs.
    case cancelled
    /// All outputs were optional, and all failed.
    case outputsFailed
  }

  /// The source of frames.
  package enum Origin: Sendable {
    case file(any FrameSource)
    case live(any LiveSource)
  }

  let origin: Origin
  let inlet: Inlet
  let outlets: [Outlet]
  let record: RunRecord
  let threads: ThreadGroup
  /// Maximum number of frames queued for rendering.
  let capacity: Int
  let depth: Int
  /// Whether the last frame is kept, because it may have to be shown again.
  let keepsLast: Bool
  let isCancelled = Atomic(false)
  let changes = ChangeList()

  /// Creates a pipeline from a source that is read, such as a file.
  /// - Parameters:
  ///   - source: The source of frames.
  ///   - outputs: Outputs for rendered frames: at least one, with unique names.
  ///   - depth: Maximum number of frames queued for rendering, and for each output with `.everyFrame`; at least 0,
  ///     where each frame is handed over directly.
  ///   - onEvent: Called on the thread where the event occurs: one of the pipeline's or the source's, possibly
  ///     concurrently. It must return quickly, because that thread waits for it. It may call anything but `run`.
  public convenience init(
    source: any FrameSource, outputs: [Output], depth: Int = 0, onEvent: (@Sendable (Event) -> Void)? = nil
  ) {
    self.init(.file(source), outputs: outputs, capacity: depth, depth: depth, onEvent: onEvent)
  }

  /// Creates a pipeline from a source that delivers at its own pace, such as a capture device.
  /// - Parameters:
  ///   - source: The source of frames.
  ///   - outputs: Outputs for rendered frames: at least one, with unique names.
  ///   - capacity: Maximum number of frames queued for rendering, at least 1; when full, a new frame replaces the
  ///     oldest.
  ///   - depth: Maximum number of frames queued for each output with `.everyFrame`; at least 0, where each frame is
  ///     handed over directly.
  ///   - maximumAge: Frames that arrived longer ago are not rendered; nil: no limit.
  ///   - onEvent: Called on the thread where the event occurs: one of the pipeline's or the source's, possibly
  ///     concurrently. It must return quickly, because that thread waits for it. It may call anything but `run`.
  public convenience init(
    source: any LiveSource, outputs: [Output], capacity: Int = 2, depth: Int = 0, maximumAge: Duration? = nil,
    onEvent: (@Sendable (Event) -> Void)? = nil
  ) {
    self.init(
      .live(source), outputs: outputs, capacity: capacity, depth: depth, maximumAge: maximumAge, onEvent: onEvent)
  }

  /// Creates a pipeline from a source that is read to a single sink, which gets every frame and all passing data.
  /// - Parameters:
  ///   - source: The source of frames.
  ///   - sink: The sink for rendered frames.
  ///   - depth: Maximum number of frames queued before and after rendering; at least 0.
  public convenience init(source: any FrameSource, sink: any FrameSink, depth: Int = 0) {
    self.init(source: source, outputs: [Output(name: "output", sink: sink)], depth: depth)
  }

  /// - Parameter threads: Creates the threads of the run; tests pass one that runs out.
  package init(
    _ origin: Origin, outputs: [Output], capacity: Int, depth: Int, maximumAge: Duration? = nil,
    threads: ThreadGroup = ThreadGroup(), onEvent: (@Sendable (Event) -> Void)?
  ) {
    precondition(!outputs.isEmpty, "A pipeline needs an output.")
    precondition(Set(outputs.map(\.name)).count == outputs.count, "Two outputs have the same name.")
    precondition(outputs.allSatisfy { $0.policy.limit ?? 1 > 0 }, "A buffer needs room for a frame.")
    precondition(depth >= 0, "The depth is negative.")
    let isLive = if case .live = origin { true } else { false }
    precondition(!isLive || capacity > 0, "A live source needs room for a frame.")
    self.origin = origin
    self.capacity = capacity
    self.depth = depth
    self.threads = threads
    inlet = Inlet(capacity: capacity, isLive: isLive, maximumAge: maximumAge)
    keepsLast = outputs.contains { $0.policy == .latest }
    outlets = outputs.map { Outlet($0, depth: depth) }
    record = RunRecord(outputs: outputs.map(\.name), onEvent: onEvent)
  }

  /// Progress so far. From any thread.
  public var progress: Progress {
    let (source, tally) = (inlet.sourceState, inlet.tally)
    var progress = record.progress
    progress.source = source
    for index in progress.outputs.indices { progress.outputs[index].latency = record.latency(of: index) }
    progress.lost = tally.lost
    progress.droppedBeforeRendering = tally.dropped
    return progress
  }

  /// The maximum number of frames alive at a time, over the source and all outputs.
  public var framesInFlight: Int {
    outlets.indices.reduce(sourceFramesInFlight) { $0 + framesInFlight(output: $1) }
  }

  /// The maximum number of source frames alive at a time: one being read or delivered, queued ones, one being rendered,
  /// and the last one if it may be shown again. Use it as the capacity of a pool for the source.
  public var sourceFramesInFlight: Int { capacity + (keepsLast ? 3 : 2) }

  /// The maximum number of frames of output `index` alive at a time: one being rendered, queued ones, and one being
  /// written. Use it, plus any frames the sink keeps, as the capacity of a pool for that output.
  public func framesInFlight(output index: Int) -> Int { (outlets[index].output.policy.limit ?? depth) + 2 }
}

public import Frames
internal import Synchronization
internal import Threads

/// Moves frames from a source through rendering to a sink: in order, bounded, cancellable, measured.
///
/// Reading and writing have a thread each, rendering runs on the caller's: one frame is read while the one before is
/// rendered and the one before that is written. At most 2 · depth + 4 frames are alive, besides what decoder and encoder
/// hold back, which have threads of their own.
public final class StreamPipeline: Sendable {
  /// How a run ended.
  public enum Outcome: Sendable, Hashable {
    case finished
    /// `cancel()` was called; every frame that had been read was still written.
    case cancelled
  }

  /// What has been done so far.
  public struct Progress: Sendable, Hashable {
    /// Frames that were written.
    public var frames = 0
    /// Time of the frame that was written last.
    public var time: FrameTime?
    /// Seconds spent reading, rendering and writing; they overlap.
    public var reading = 0.0
    public var rendering = 0.0
    public var writing = 0.0

    public init() {}
  }

  private let source: any FrameSource
  private let sink: any FrameSink
  private let decoded: BoundedQueue<StreamItem>
  private let rendered: BoundedQueue<StreamItem>
  private let isCancelled = Atomic(false)
  private let state = Mutex(State())

  private struct State {
    var progress = Progress()
    var failure: (any Error)?
  }

  /// - Parameters:
  ///   - source: Where frames come from.
  ///   - sink: Where rendered frames go.
  ///   - depth: Frames that may wait before and after rendering while the next is made.
  public init(source: any FrameSource, sink: any FrameSink, depth: Int = 0) {
    self.source = source
    self.sink = sink
    decoded = BoundedQueue(capacity: depth)
    rendered = BoundedQueue(capacity: depth)
  }

  /// What has been done so far; from any thread.
  public var progress: Progress { state.withLock { $0.progress } }

  /// Stops reading; what was read is still rendered and written. From any thread.
  public func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    source.interrupt()
  }

  /// Moves all frames. Blocks until the last one is written.
  /// - Parameter render: Makes the frame that is written from one that was read.
  /// - Throws: The first error of source, `render` or sink, or `ThreadError` where there is no thread for them. After an
  ///   error of the source the frames before it are still written; after the others nothing is.
  public func run(_ render: (CodedFrame) throws -> CodedFrame) throws -> Outcome {
    let threads = ThreadGroup()
    do {
      // What was read before a source failed is still written; after a failure of the sink nothing can be.
      try start(on: threads, readAll, onFailure: keep)
      try start(on: threads, writeAll, onFailure: fail)
      while var item = decoded.pop() {
        if let frame = item.frame {
          let start = ContinuousClock.now
          item.frame = try render(frame)
          count(start) { $0.rendering += $1 }
        }
        if !rendered.push(item) { break }
      }
      rendered.finish()
    } catch {
      fail(error)
    }
    threads.wait()
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return isCancelled.load(ordering: .relaxed) ? .cancelled : .finished
  }

  @Sendable private func readAll() throws {
    defer { decoded.finish() }
    while !isCancelled.load(ordering: .relaxed) {
      let start = ContinuousClock.now
      let item = try source.read()
      count(start) { $0.reading += $1 }
      guard let item, decoded.push(item) else { return }
    }
  }

  @Sendable private func writeAll() throws {
    while let item = rendered.pop() {
      let start = ContinuousClock.now
      if let data = item.passing { try sink.pass(data) }
      if let frame = item.frame { try sink.write(frame) }
      count(start) {
        $0.writing += $1
        guard let frame = item.frame else { return }
        $0.frames += 1
        $0.time = frame.time
      }
    }
  }

  private func count(_ start: ContinuousClock.Instant, _ body: (inout Progress, Double) -> Void) {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    state.withLock { body(&$0.progress, seconds) }
  }

  @Sendable private func keep(_ error: any Error) { state.withLock { if $0.failure == nil { $0.failure = error } } }

  /// Keeps the first error and lets every thread come to its end.
  @Sendable private func fail(_ error: any Error) {
    keep(error)
    source.interrupt()
    decoded.abandon()
    rendered.abandon()
  }

  /// Blocking calls stay off Swift's cooperative pool: a thread each.
  private func start(
    on threads: ThreadGroup, _ body: @escaping @Sendable () throws -> Void,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    try threads.start {
      do { try body() } catch { onFailure(error) }
    }
  }
}

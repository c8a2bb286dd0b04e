internal import Foundation
internal import Frames

/// Progress, failure and event handler of a run, shared by its threads and the source.
final class RunRecord: @unchecked Sendable {
  // @unchecked: `counted`, `latencies` and `firstError` are accessed with `lock` locked. It is an `NSLock` because
  // ThreadSanitizer does not understand a contended `Mutex`, and reports false races.
  private let lock = NSLock()
  private var counted: StreamPipeline.Progress
  private var firstError: (any Error)?
  /// One per output.
  private var latencies: [LatencyTally]
  private let onEvent: (@Sendable (StreamPipeline.Event) -> Void)?

  /// - Parameter outputs: Names of the outputs.
  init(outputs: [String], onEvent: (@Sendable (StreamPipeline.Event) -> Void)?) {
    counted = StreamPipeline.Progress(outputs: outputs.map { StreamPipeline.OutputProgress(name: $0) })
    latencies = Array(repeating: LatencyTally(), count: outputs.count)
    self.onEvent = onEvent
  }

  var progress: StreamPipeline.Progress { lock.withLock { counted } }

  /// The first error that ends the run.
  var failure: (any Error)? { lock.withLock { firstError } }

  var openOutputs: StreamPipeline.OutputSet {
    StreamPipeline.OutputSet(progress.outputs.map(\.isOpen))
  }

  /// Keeps an error for the end of the run if it is the first.
  func keep(_ error: any Error) { lock.withLock { if firstError == nil { firstError = error } } }

  /// Reports an event, with no lock held.
  func emit(_ event: StreamPipeline.Event) { onEvent?(event) }

  /// - Parameter body: Receives the seconds since `start`.
  func count(since start: ContinuousClock.Instant, _ body: (inout StreamPipeline.Progress, Double) -> Void) {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    lock.withLock { body(&counted, seconds) }
  }

  /// Counts what output `index` wrote between `start` and `end`.
  func countWritten(
    _ item: Item, by index: Int, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant
  ) {
    lock.withLock {
      counted.outputs[index].writing += (end - start) / .seconds(1)
      guard let frame = item.frame, !item.isRedraw else { return }
      counted.outputs[index].frames += 1
      counted.outputs[index].time = frame.time
      guard let arrival = item.arrival else { return }
      latencies[index].count(end - arrival)
    }
  }

  func latency(of index: Int) -> StreamPipeline.Latency? { lock.withLock { latencies[index].latency } }

  func countDropped(by index: Int) { lock.withLock { counted.outputs[index].dropped += 1 } }

  /// - Returns: false if the output was closed before.
  func close(_ index: Int) -> Bool {
    lock.withLock {
      defer { counted.outputs[index].isOpen = false }
      return counted.outputs[index].isOpen
    }
  }
}

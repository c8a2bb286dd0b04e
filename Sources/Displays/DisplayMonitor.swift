internal import Foundation
internal import Synchronization
internal import Threads

/// Tracks changes of a display: a description file or a connected display. Runs until `stop()`.
///
/// Polls twenty times a second on its own thread: neither sysfs nor network file systems report every change.
public final class DisplayMonitor: Sendable {
  private struct State {
    var status: DisplayStatus
    var observers: [Int: AsyncStream<DisplayStatus>.Continuation] = [:]
    var nextObserver = 0
    var hasEnded = false
    /// Consecutive failed reads.
    var failures = 0
    var error: DisplayError?
    var isFaultTaken = false
  }

  private let source: DisplaySource
  private let state: Mutex<State>
  private let threads = ThreadGroup()

  private static let interval = 0.05
  /// Consecutive failed reads that count as a fault: a file being written may be unreadable for a moment.
  private static let maximumFailures = 10

  /// Starts tracking a display.
  /// - Parameters:
  ///   - source: The source to read.
  ///   - status: The previous status, used if the source cannot be read now; nil: that is an error.
  /// - Throws: `DisplayError` or `ThreadError`.
  public init(_ source: DisplaySource, from status: DisplayStatus? = nil) throws {
    self.source = source
    let current = Result { () throws(DisplayError) in try source.status() }
    state = Mutex(State(status: try (try? current.get()) ?? status ?? current.get()))
    try threads.start { [self] in watch() }
  }

  /// The current status.
  public var status: DisplayStatus { state.withLock(\.status) }

  /// The reason why reads have failed for half a second; nil: they succeed. The status keeps its last value.
  public var fault: DisplayError? { state.withLock { $0.failures >= Self.maximumFailures ? $0.error : nil } }

  /// Returns a new fault; each one is returned once.
  public func takeFault() -> DisplayError? {
    state.withLock { state in
      guard state.failures >= Self.maximumFailures, !state.isFaultTaken else { return nil }
      state.isFaultTaken = true
      return state.error
    }
  }

  /// The changes from now on; a slow reader gets the latest one. Ends with `stop()`.
  public var changes: AsyncStream<DisplayStatus> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observer = state.withLock { state -> Int? in
        guard !state.hasEnded else { return nil }
        state.observers[state.nextObserver] = continuation
        state.nextObserver += 1
        return state.nextObserver - 1
      }
      guard let observer else { return continuation.finish() }
      continuation.onTermination = { [self] _ in state.withLock { _ = $0.observers.removeValue(forKey: observer) } }
    }
  }

  /// Stops tracking and ends the change sequences. Waits for a pending read, which for a monitor may take seconds.
  public func stop() {
    let observers = state.withLock { state in
      state.hasEnded = true
      defer { state.observers = [:] }
      return Array(state.observers.values)
    }
    for observer in observers { observer.finish() }
    threads.wait()
  }

  private func watch() {
    while !state.withLock(\.hasEnded) {
      do throws(DisplayError) {
        take(try source.status())
      } catch {
        state.withLock { ($0.failures, $0.error) = ($0.failures + 1, error) }
      }
      Thread.sleep(forTimeInterval: Self.interval)
    }
  }

  private func take(_ status: DisplayStatus) {
    let observers = state.withLock { state in
      defer { (state.status, state.failures, state.error, state.isFaultTaken) = (status, 0, nil, false) }
      return state.status == status ? [] : Array(state.observers.values)
    }
    for observer in observers { observer.yield(status) }
  }
}

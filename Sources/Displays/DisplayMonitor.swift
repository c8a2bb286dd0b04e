internal import Foundation
internal import Synchronization
internal import Threads

/// Follows a display while it changes: a file that describes it, or one that is connected. Ends with `stop()`, and only then.
///
/// It looks twenty times a second, from a thread of its own: neither sysfs nor network file systems announce every change.
public final class DisplayMonitor: Sendable {
  private struct State {
    var status: DisplayStatus
    var observers: [Int: AsyncStream<DisplayStatus>.Continuation] = [:]
    var nextObserver = 0
    var hasEnded = false
    /// The latest reads that failed, one after the other.
    var failures = 0
    var error: DisplayError?
    var isFaultTaken = false
  }

  private let source: DisplaySource
  private let state: Mutex<State>
  private let threads = ThreadGroup()

  private static let interval = 0.05
  /// Reads that fail before it is a fault: a file that is just being written cannot be read for a moment.
  private static let patience = 10

  /// Begins to follow a display.
  /// - Parameters:
  ///   - source: Where it is read.
  ///   - status: What it was before, if it cannot be read now; nil: then that is an error.
  /// - Throws: `DisplayError` or `ThreadError`.
  public init(_ source: DisplaySource, from status: DisplayStatus? = nil) throws {
    self.source = source
    let current = Result { () throws(DisplayError) in try source.status() }
    state = Mutex(State(status: try (try? current.get()) ?? status ?? current.get()))
    try threads.start { [self] in watch() }
  }

  /// The display as it is now.
  public var status: DisplayStatus { state.withLock(\.status) }

  /// Why it has not been read for half a second; nil: it is. Its status stays what it was.
  public var fault: DisplayError? { state.withLock { $0.failures >= Self.patience ? $0.error : nil } }

  /// The fault, once for each time that reading begins to fail.
  public func takeFault() -> DisplayError? {
    state.withLock { state in
      guard state.failures >= Self.patience, !state.isFaultTaken else { return nil }
      state.isFaultTaken = true
      return state.error
    }
  }

  /// Every change from now on; a reader that is late gets the latest. It ends with `stop()`.
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

  /// Stops following it, and ends the sequences of changes. Waits for a read that is under way, which for a monitor may
  /// take seconds.
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

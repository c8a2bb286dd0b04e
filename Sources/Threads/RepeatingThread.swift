internal import Dispatch

/// Calls a closure repeatedly on a dedicated thread until it is stopped.
public final class RepeatingThread: Sendable {
  private let interval: Double
  private let threads = ThreadGroup()
  private let ending = DispatchSemaphore(value: 0)

  /// - Parameter interval: Seconds before each call.
  public init(every interval: Double) { self.interval = interval }

  /// Starts the thread; call this once.
  /// - Parameter body: Called after each interval.
  /// - Throws: `ThreadError` if no thread can be created.
  public func begin(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    try threads.start { [ending, interval] in
      while ending.wait(timeout: .now() + interval) == .timedOut { body() }
    }
  }

  /// Stops the thread and waits for a running call to return; call this once, and not from `body`.
  public func end() {
    ending.signal()
    threads.wait()
  }
}

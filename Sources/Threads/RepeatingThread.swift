internal import Dispatch

/// Does something again and again on a thread of its own, until it is ended.
public final class RepeatingThread: Sendable {
  private let interval: Double
  private let threads = ThreadGroup()
  private let ending = DispatchSemaphore(value: 0)

  /// - Parameter interval: Seconds before each time.
  public init(every interval: Double) { self.interval = interval }

  /// Begins; to be called once.
  /// - Parameter body: What is done.
  /// - Throws: `ThreadError` if no thread can be created.
  public func begin(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    try threads.start { [ending, interval] in
      while ending.wait(timeout: .now() + interval) == .timedOut { body() }
    }
  }

  /// Ends it, and waits until it is not done any more; to be called once, and not by what is done.
  public func end() {
    ending.signal()
    threads.wait()
  }
}

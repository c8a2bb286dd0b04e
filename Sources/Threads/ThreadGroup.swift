internal import Dispatch
internal import Synchronization

/// Threads that are joined together.
public final class ThreadGroup: Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private let count = Atomic(0)
  private let startThread: Starter

  /// Starts a detached thread.
  package typealias Starter = @Sendable (@escaping @Sendable () -> Void) throws(ThreadError) -> Void

  public init() { startThread = SystemThread.start }

  /// - Parameter startThread: Replaces `SystemThread`, so that tests can run out of threads.
  package init(startThread: @escaping Starter) { self.startThread = startThread }

  /// - Throws: `ThreadError` if the system cannot create another thread.
  public func start(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    let work = Mutex(Optional(body))
    try startThread { [ended] in
      // Released before the thread counts as ended: a file that only the closure holds is closed when `wait` returns.
      work.withLock { $0.take() }?()
      ended.signal()
    }
    count.add(1, ordering: .relaxed)
  }

  /// Returns when every started thread has ended and released its closure.
  public func wait() {
    for _ in 0..<count.exchange(0, ordering: .relaxed) { ended.wait() }
  }

  /// Checks that the system can create this many threads at the same time.
  /// - Throws: `ThreadError` if the system refuses one of them.
  package static func check(_ count: Int) throws(ThreadError) {
    let (group, gate) = (ThreadGroup(), DispatchSemaphore(value: 0))
    defer {
      for _ in 0..<count { gate.signal() }
      group.wait()
    }
    for _ in 0..<count { try group.start { gate.wait() } }
  }
}

internal import Dispatch
internal import Synchronization

/// Threads that are waited for together.
public final class ThreadGroup: Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private let count = Atomic(0)

  public init() {}

  /// - Throws: `ThreadError` where the system has no room for one more.
  public func start(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    try SystemThread.start { [ended] in
      body()
      ended.signal()
    }
    count.add(1, ordering: .relaxed)
  }

  /// Returns when every thread that was started has ended.
  public func wait() {
    for _ in 0..<count.exchange(0, ordering: .relaxed) { ended.wait() }
  }
}

internal import Foundation
internal import Synchronization

/// State for signal handlers: atomics and a semaphore.
@safe
final class SignalState: Sendable {
  // @safe: the semaphore is created once and lives as long as the process.
  static let shared = SignalState()

  private let received = Atomic<Int32>(0)
  private let last = Atomic<Int32>(0)
  private let receivedAt = Atomic<Int64>(0)
  private let isOver = Atomic(false)
  nonisolated(unsafe) private let semaphore: UnsafeMutablePointer<sem_t>

  /// Nanoseconds in which a repeated signal is ignored: tools that kill a process group also signal the process itself.
  private static let echo: Int64 = 100_000_000
  /// Seconds after which a second signal ends the process unconditionally.
  private static let patience: UInt32 = 1

  private init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe semaphore.initialize(to: sem_t())
    unsafe sem_init(semaphore, 0, 0)
  }

  /// The first signal; 0 if there was none.
  var first: Int32 { received.load(ordering: .relaxed) }

  /// Resets the state while no handler is installed.
  func begin() {
    received.store(0, ordering: .relaxed)
    last.store(0, ordering: .relaxed)
    isOver.store(false, ordering: .relaxed)
    while unsafe sem_trywait(semaphore) == 0 {}
  }

  /// Makes `serve` return.
  func end() {
    isOver.store(true, ordering: .releasing)
    unsafe sem_post(semaphore)
  }

  /// Called by the handler.
  func receive(_ number: Int32) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    let before = received.compareExchange(expected: 0, desired: number, ordering: .relaxed).original
    if before == 0 {
      receivedAt.store(now, ordering: .relaxed)
      unsafe sem_post(semaphore)
      return
    }
    if before == number, now &- receivedAt.load(ordering: .relaxed) < Self.echo { return }
    if last.exchange(number, ordering: .relaxed) != 0 { endNow() }
    alarm(Self.patience)
    unsafe sem_post(semaphore)
  }

  /// Ends the process with the status of the last signal.
  func endNow() { _exit(128 + last.load(ordering: .relaxed)) }

  /// Waits for signals, on a separate thread.
  func serve(first: () -> Void, second: () -> Void) {
    wait()
    if isOver.load(ordering: .acquiring) { return }
    first()
    wait()
    if isOver.load(ordering: .acquiring) { return }
    second()
    endNow()
  }

  private func wait() {
    while unsafe sem_wait(semaphore) != 0, errno == EINTR {}
  }
}

internal import Foundation

/// A system clock in seconds.
struct Clock {
  /// Wall-clock time.
  static let monotonic = Clock(CLOCK_MONOTONIC)
  /// User and system time of the calling thread.
  static let threadCPU = Clock(CLOCK_THREAD_CPUTIME_ID)

  private let id: clockid_t

  private init(_ id: clockid_t) { self.id = id }

  var now: Double {
    var time = timespec()
    unsafe clock_gettime(id, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The overhead of one reading of this clock.
  func readingCost() -> Double {
    let readings = 1000
    let start = now
    for _ in 0..<readings { _ = now }
    return (now - start) / Double(readings + 1)
  }
}

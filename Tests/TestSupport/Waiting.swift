import Foundation

/// Waits for something that another thread or process does, for two minutes at most: on a busy machine, others may have the processors.
/// - Parameter interval: Seconds between two looks.
/// - Returns: Whether it has come true.
public func comesTrue(every interval: Double = 0.005, _ isTrue: () throws -> Bool) rethrows -> Bool {
  let end = Date(timeIntervalSinceNow: 120)
  while Date() < end {
    if try isTrue() { return true }
    Thread.sleep(forTimeInterval: interval)
  }
  return try isTrue()
}

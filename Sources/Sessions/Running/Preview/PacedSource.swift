internal import Foundation
internal import Frames
package import Media
internal import Synchronization

/// The frames of a file at the pace of their times.
///
/// A frame is handed on when it is due. If showing cannot keep up, frames that are late by more than one are left out, and counted. After a
/// pause, the clock goes on from the frame that comes next.
package final class PacedSource: FrameSource, @unchecked Sendable {
  // @unchecked: `clock` and `skipped` belong to the reading thread, except for the locked count; the condition guards `isInterrupted`.
  private let source: any FrameSource
  /// Every frame is handed on, however late.
  private let keepsAll: Bool
  private let condition = NSCondition()
  private var isInterrupted = false
  /// When the frame at time zero is due.
  private var clock: ContinuousClock.Instant?
  private let skipped = Mutex(0)

  /// A longer delay is a pause, not slow rendering.
  private static let longestDelay = 0.5
  /// Seconds that a frame may be late.
  private static let tolerance = 0.05
  /// A longer gap between two frames is not waited for.
  private static let longestGap = 10.0

  /// - Parameter keepsAll: No frame is left out.
  package init(_ source: any FrameSource, keepsAll: Bool) { (self.source, self.keepsAll) = (source, keepsAll) }

  /// Frames that were left out. From any thread.
  package var skippedFrames: Int { skipped.withLock { $0 } }

  package func read() throws -> StreamItem? {
    while let item = try source.read() {
      guard let frame = item.frame, pace(frame) else { return item }
      skipped.withLock { $0 += 1 }
    }
    return nil
  }

  /// Waits until a frame is due.
  /// - Returns: Whether it is left out.
  private func pace(_ frame: CodedFrame) -> Bool {
    let time = frame.time.seconds
    guard time.magnitude < 1e9 else { return false }
    let (now, begin) = (ContinuousClock.now, clock)
    let due = (begin ?? now - .seconds(time)) + .seconds(time)
    let wait = (due - now) / .seconds(1)
    if begin == nil || wait < -Self.longestDelay || wait > Self.longestGap {
      clock = now - .seconds(time)
      return false
    }
    if wait < -Self.tolerance { return !keepsAll }
    sleep(wait)
    return false
  }

  private func sleep(_ seconds: Double) {
    condition.withLock {
      let end = Date(timeIntervalSinceNow: seconds)
      while !isInterrupted, condition.wait(until: end) {}
    }
  }

  package func interrupt() {
    source.interrupt()
    condition.withLock {
      isInterrupted = true
      condition.broadcast()
    }
  }
}

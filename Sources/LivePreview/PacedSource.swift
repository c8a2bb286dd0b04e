internal import Foundation
internal import Frames
package import Media
internal import Sessions
internal import Synchronization

/// Frames of a file, paced by their times.
///
/// Passes each frame on when it is due. If the consumer is too slow, frames are dropped and counted; if reading is too
/// slow, the clock waits, because decoded frames might as well be shown.
package final class PacedSource: FrameSource, @unchecked Sendable {
  // @unchecked: `clock` and `handed` belong to the reading thread; all other mutable state is locked.
  private struct State {
    var skipped = 0
    var isHeld = false
    /// The clock restarts at the next frame.
    var isLoose = true
    /// Every frame is passed on, however late.
    var keepsAll: Bool
  }

  private let source: any FrameSource
  private let condition = NSCondition()
  private var isInterrupted = false
  /// The waiting frame is passed on at once.
  private var isHurried = false
  /// When the frame at time zero is due.
  private var clock = ContinuousClock.now
  /// When the last frame was passed on.
  private var handed: ContinuousClock.Instant?
  private let state: Mutex<State>

  /// Maximum delay of a frame in seconds.
  private static let tolerance = 0.05
  /// Maximum gap in seconds between two frames; longer gaps are skipped.
  private static let longestGap = 10.0

  /// - Parameter keepsAll: Drops no frames.
  package init(_ source: any FrameSource, keepsAll: Bool) {
    self.source = source
    state = Mutex(State(keepsAll: keepsAll))
  }

  /// Number of dropped frames. From any thread.
  package var skippedFrames: Int { state.withLock { $0.skipped } }

  /// Passes frames on as they are requested, or paced again. From any thread.
  package func setHeld(_ isHeld: Bool) { state.withLock { ($0.isHeld, $0.isLoose) = (isHeld, true) } }

  /// Drops no frames from now on, or late ones again; the clock restarts at the next frame. From any thread.
  package func setKeepsAll(_ keepsAll: Bool) { state.withLock { ($0.keepsAll, $0.isLoose) = (keepsAll, true) } }

  /// Passes the waiting frame on at once, and restarts the clock at the next. From any thread.
  package func hurry() {
    state.withLock { $0.isLoose = true }
    condition.withLock {
      isHurried = true
      condition.broadcast()
    }
  }

  package func read() throws -> StreamItem? {
    let asked = ContinuousClock.now
    let blocked = handed.map { asked - $0 } ?? .zero
    var start = asked
    while let item = try source.read() {
      let isSkipped = item.frame.map { pace($0, reading: .now - start, blocked: blocked) } ?? false
      if !isSkipped {
        handed = .now
        return item
      }
      state.withLock { $0.skipped += 1 }
      start = .now
    }
    return nil
  }

  /// Waits until a frame is due.
  /// - Parameters:
  ///   - reading: Time it took to read.
  ///   - blocked: Time that the previous frame was held up by the consumer.
  /// - Returns: Whether to drop it.
  private func pace(_ frame: CodedFrame, reading: Duration, blocked: Duration) -> Bool {
    let time = frame.time.seconds
    guard time.magnitude < 1e9 else { return false }
    let now = ContinuousClock.now
    let isLoose = state.withLock { state in
      defer { state.isLoose = state.isHeld }
      return state.isLoose
    }
    let wait = (clock + .seconds(time) - now) / .seconds(1)
    if isLoose || wait > Self.longestGap {
      clock = now - .seconds(time)
      condition.withLock { isHurried = false }
      return false
    }
    if wait >= -Self.tolerance {
      sleep(wait)
      return false
    }
    if reading < blocked { return !state.withLock { $0.keepsAll } }
    clock = now - .seconds(time)
    return false
  }

  private func sleep(_ seconds: Double) {
    guard seconds > 0 else { return }
    condition.withLock {
      let end = Date(timeIntervalSinceNow: seconds)
      while !isInterrupted, !isHurried, condition.wait(until: end) {}
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

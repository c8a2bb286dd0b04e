internal import Foundation
internal import Frames
package import Media
internal import Sessions
internal import Synchronization

/// The frames of a file at the pace of their times.
///
/// A frame is handed on when it is due. Frames are left out, and counted, while what they are handed to is too slow for them; if reading
/// itself is, the clock waits for it, because what has been decoded might as well be shown.
package final class PacedSource: FrameSource, @unchecked Sendable {
  // @unchecked: `clock` and `handed` belong to the reading thread; everything else that changes is locked.
  private struct State {
    var skipped = 0
    var isHeld = false
    /// The clock begins with the next frame.
    var isLoose = true
    /// Every frame is handed on, however late.
    var keepsAll: Bool
  }

  private let source: any FrameSource
  private let condition = NSCondition()
  private var isInterrupted = false
  /// The frame that waits is not waited for.
  private var isHurried = false
  /// When the frame at time zero is due.
  private var clock = ContinuousClock.now
  /// When the last frame was handed on.
  private var handed: ContinuousClock.Instant?
  private let state: Mutex<State>

  /// Seconds that a frame may be late.
  private static let tolerance = 0.05
  /// A longer gap between two frames is not waited for.
  private static let longestGap = 10.0

  /// - Parameter keepsAll: No frame is left out.
  package init(_ source: any FrameSource, keepsAll: Bool) {
    self.source = source
    state = Mutex(State(keepsAll: keepsAll))
  }

  /// Frames that were left out. From any thread.
  package var skippedFrames: Int { state.withLock { $0.skipped } }

  /// Frames are handed on as they are asked for, or at their pace again. From any thread.
  package func setHeld(_ isHeld: Bool) { state.withLock { ($0.isHeld, $0.isLoose) = (isHeld, true) } }

  /// From now on no frame is left out, or those again that are late; the clock begins with the next one. From any thread.
  package func setKeepsAll(_ keepsAll: Bool) { state.withLock { ($0.keepsAll, $0.isLoose) = (keepsAll, true) } }

  /// The frame that waits to be due is handed on at once, and the clock begins with the next one. From any thread.
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
  ///   - reading: How long it took to be read.
  ///   - blocked: How long the frame before it was not taken.
  /// - Returns: Whether it is left out.
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

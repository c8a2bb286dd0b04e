internal import Capture
internal import Foundation
internal import Frames
internal import Media

/// Frames of a device that wait to be read; when it is full, a new frame replaces the oldest.
///
/// Until the first one is read, only the newest is kept: what has passed while a run was planned would leave a gap after it.
final class DeviceQueue: LiveReceiver, @unchecked Sendable {
  // @unchecked: every variable is read and written with `condition` locked.

  /// What there is to read.
  enum Answer {
    case frame(CodedFrame)
    case end
    /// No frame came in time, and why if the device knows.
    case nothing(SignalLoss?)
  }

  let capacity: Int
  private let condition = NSCondition()
  private var frames: [CodedFrame] = []
  private var hasBegun = false
  private var hasEnded = false
  private var failure: (any Error)?
  private var loss: SignalLoss?
  private var counts = ReadStatistics()

  /// - Parameter capacity: At least 1.
  init(capacity: Int) { self.capacity = capacity }

  var statistics: ReadStatistics { condition.withLock { counts } }

  /// Waits for the first frame, and leaves it where it is.
  /// - Parameter patience: Seconds; nil: for as long as it takes.
  /// - Throws: The error that ended the stream, after its last frame.
  func first(patience: Double?) throws -> Answer {
    try condition.withLock {
      let end = Date(timeIntervalSinceNow: patience ?? 0)
      while frames.isEmpty, !hasEnded {
        if patience == nil {
          condition.wait()
        } else if !condition.wait(until: end) {
          return .nothing(loss)
        }
      }
      if let frame = frames.first { return .frame(frame) }
      if let failure { throw failure }
      return .end
    }
  }

  func removeFirst() {
    condition.withLock {
      (hasBegun, counts.frames) = (true, counts.frames + 1)
      frames.removeFirst()
    }
  }

  /// The device has lost its signal, or has one again.
  func note(_ event: CaptureSource.Event) {
    condition.withLock {
      switch event {
      case .noSignal(let loss): self.loss = loss
      case .signal: loss = nil
      case .unplugged, .reconnected, .restarted, .rate: break
      }
    }
  }

  func deliver(_ frame: CodedFrame, arrival: ContinuousClock.Instant, lostBefore: Int) {
    condition.withLock {
      // What comes after the end was not asked for.
      guard !hasEnded else { return }
      if hasBegun {
        counts.lostFrames += lostBefore
      } else {
        frames = []
      }
      counts.damagedFrames += frame.isDamaged ? 1 : 0
      frames.append(frame)
      if frames.count > capacity {
        frames.removeFirst()
        counts.lostFrames += 1
      }
      condition.broadcast()
    }
  }

  func pass(_ data: any PassingData) {}
  func pause() {}
  func resume() {}

  func end(throwing error: (any Error)?) {
    condition.withLock {
      guard !hasEnded else { return }
      (failure, hasEnded) = (error, true)
      condition.broadcast()
    }
  }
}

internal import Capture
internal import Foundation
internal import Frames
internal import Media

/// Device frames waiting to be read; when it is full, a new frame replaces the oldest.
///
/// Before the first read only the newest is kept: frames from the planning phase would be followed by a gap.
final class DeviceQueue: LiveReceiver, @unchecked Sendable {
  // @unchecked: all variables are guarded by `condition`.

  /// The result of a read.
  enum Answer {
    case frame(CodedFrame)
    case end
    /// No frame arrived in time: the reason, if the device knows it.
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

  /// Waits for the first frame without removing it.
  /// - Parameter patience: Timeout in seconds; nil: none.
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

  /// Records that the device has lost or regained its signal.
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
      // Frames after the end were not requested.
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

internal import Foundation
internal import Media
internal import StreamPipeline
internal import Threads

/// Reports progress twice a second.
final class ProgressTicker: @unchecked Sendable {
  // @unchecked: `hasEnded` is read and written with `condition` locked; everything else is immutable.
  private let session: Session
  private let pipeline: StreamPipeline
  private let run: Session.Run
  private let start = ContinuousClock.now
  private let threads = ThreadGroup()
  private let condition = NSCondition()
  private var hasEnded = false

  private static let interval = 0.5

  init(_ session: Session, _ pipeline: StreamPipeline, _ run: Session.Run) {
    (self.session, self.pipeline, self.run) = (session, pipeline, run)
  }

  func begin() {
    // Without a thread only the last report is sent.
    try? threads.start { [self] in
      while waitForNext() { session.emit(.progress(progress)) }
    }
  }

  /// - Returns: false at the end.
  private func waitForNext() -> Bool {
    condition.withLock {
      let next = Date(timeIntervalSinceNow: Self.interval)
      while !hasEnded, condition.wait(until: next) {}
      return !hasEnded
    }
  }

  func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
    threads.wait()
    var last = progress
    last.isLast = true
    session.emit(.progress(last))
  }

  var progress: Session.Progress {
    Session.Progress(
      frames: pipeline.progress.frames, seconds: (ContinuousClock.now - start) / .seconds(1),
      totalFrames: run.totalFrames, frameRate: run.frameRate,
      bytes: run.countsBytes ? run.file?.bytesWritten : nil)
  }
}

internal import Farm
internal import Foundation
internal import Threads

/// Renews the lease of a chunk while it is rendered, and ends the work when the film is cancelled or planned again.
final class Heartbeat: @unchecked Sendable {
  // @unchecked: the variables are read and written with `condition` locked; everything else is immutable.
  private let lease: Lease
  private let film: Film
  private let onCancel: @Sendable () -> Void
  private let threads = ThreadGroup()
  private let condition = NSCondition()
  private var hasEnded = false
  private var frames = 0
  private let start = ContinuousClock.now
  private var reason: FilmDiagnostic?

  /// Seconds between two signs of life: a few may be lost before the lease ends.
  private static let interval = 2.0
  /// The clock of the folder when this process began: who cancels later means it.
  private let begin: ServerTime

  /// - Parameter onCancel: Called once, from the thread of this object, when the work is of no use any more.
  init(_ lease: Lease, _ film: Film, since begin: ServerTime, onCancel: @escaping @Sendable () -> Void)
    throws(ThreadError)
  {
    (self.lease, self.film, self.begin, self.onCancel) = (lease, film, begin, onCancel)
    try threads.start { [self] in
      while waitForNext() { beat() }
    }
  }

  private func waitForNext() -> Bool {
    condition.withLock {
      let next = Date(timeIntervalSinceNow: min(Self.interval, lease.duration / 5))
      while !hasEnded, condition.wait(until: next) {}
      return !hasEnded
    }
  }

  private func beat() {
    let frames = condition.withLock { self.frames }
    let rate = Double(frames) / max((ContinuousClock.now - start) / .seconds(1), 1e-6)
    // A folder that cannot be written now may be later: the lease lasts longer than one beat.
    try? lease.renew(frames: frames, framesPerSecond: rate)
    let reason: FilmDiagnostic
    if film.folder.wasCancelled(since: begin) {
      reason = .isCancelled(folder: film.folder.path, number: lease.number)
    } else if !film.isCurrent {
      reason = .isReplaced(folder: film.folder.path)
    } else {
      return
    }
    let isFirst = condition.withLock {
      defer { self.reason = reason }
      return self.reason == nil
    }
    if isFirst { onCancel() }
  }

  /// Counts a frame, for the next sign of life.
  func countFrame() { condition.withLock { frames += 1 } }

  /// Why the work is of no use any more; nil: it is.
  var ending: FilmDiagnostic? { condition.withLock { reason } }

  func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
    threads.wait()
  }
}

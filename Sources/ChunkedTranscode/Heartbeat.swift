internal import Farm
internal import Sessions
internal import Synchronization
internal import Threads

/// Renews the lease of a chunk while it is rendered, and ends the work when the film is cancelled or planned again.
final class Heartbeat: Sendable {
  private let lease: Lease
  private let film: Film
  private let onCancel: @Sendable () -> Void
  private let thread: RepeatingThread
  private let start = ContinuousClock.now
  private let state = Mutex((frames: 0, reason: Message?.none))

  /// Seconds between two signs of life: a few may be lost before the lease ends.
  private static let interval = 2.0
  /// The clock of the folder when this process began: who cancels later means it.
  private let begin: ServerTime

  /// - Parameter onCancel: Called once, from the thread of this object, when the work is of no use any more.
  init(_ lease: Lease, _ film: Film, since begin: ServerTime, onCancel: @escaping @Sendable () -> Void)
    throws(ThreadError)
  {
    (self.lease, self.film, self.begin, self.onCancel) = (lease, film, begin, onCancel)
    thread = RepeatingThread(every: min(Self.interval, lease.duration / 5))
    try thread.begin { [self] in beat() }
  }

  private func beat() {
    let frames = state.withLock { $0.frames }
    let rate = Double(frames) / max((ContinuousClock.now - start) / .seconds(1), 1e-6)
    // A folder that cannot be written now may be later: the lease lasts longer than one beat.
    try? lease.renew(frames: frames, framesPerSecond: rate)
    let reason: Message
    let folder = film.folder.path
    if film.folder.wasCancelled(since: begin) {
      reason = Message(
        "film-cancelled",
        "'\(folder)' was cancelled: piece \(lease.number) was dropped. \(MessageText.chunkCommand(folder)) goes on.")
    } else if !film.isCurrent {
      reason = .planReplaced(in: folder)
    } else {
      return
    }
    let isFirst = state.withLock { state in
      defer { state.reason = reason }
      return state.reason == nil
    }
    if isFirst { onCancel() }
  }

  /// Counts a frame, for the next sign of life.
  func countFrame() { state.withLock { $0.frames += 1 } }

  /// Why the work is of no use any more; nil: it is.
  var ending: Message? { state.withLock { $0.reason } }

  func end() { thread.end() }
}

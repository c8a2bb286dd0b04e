internal import Farm
internal import Sessions
internal import Synchronization
internal import Threads

/// Renews the lease of a chunk during rendering, and stops the work when the film is cancelled or replanned.
final class Heartbeat: Sendable {
  private let lease: Lease
  private let film: Film
  private let onCancel: @Sendable () -> Void
  private let thread: RepeatingThread
  private let start = ContinuousClock.now
  private let state = Mutex((frames: 0, reason: Message?.none))

  /// Interval in seconds between heartbeats: a few may be lost before the lease expires.
  private static let interval = 2.0
  /// The folder's clock when this process started: only later cancellations apply to it.
  private let begin: ServerTime

  /// - Parameter onCancel: Called once, on the thread of this object, when the work has become useless.
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
    // A folder that is not writable now may be later: the lease outlasts several heartbeats.
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

  /// Counts a frame for the next heartbeat.
  func countFrame() { state.withLock { $0.frames += 1 } }

  /// Why the work has become useless; nil: it has not.
  var ending: Message? { state.withLock { $0.reason } }

  func end() { thread.end() }
}

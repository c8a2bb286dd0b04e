internal import FFmpegIO
internal import Farm
internal import Foundation
internal import Frames
internal import Media
public import Sessions
internal import Synchronization
internal import Threads

extension Session {
  /// Which chunks to render.
  public enum ChunkChoice: Sendable, Hashable {
    /// A chunk by number. Waits if another machine is rendering it.
    case number(Int)
    /// The next free chunk.
    case next
    /// All free chunks until the film is complete. Waits for chunks of other machines, which may die.
    case all
  }

  /// The result of rendering chunks.
  public enum ChunkOutcome: Sendable, Hashable {
    /// All requested pieces exist.
    case done
    /// `cancel()` was called: the piece in progress was dropped.
    case stopped
  }

  /// Renders chunks of a film to pieces in its work folder.
  /// - Parameters:
  ///   - choice: Which chunks.
  ///   - film: The film.
  ///   - allowsMixed: Accepts versions other than the plan's.
  ///   - lease: Seconds without a heartbeat after which other machines take over a chunk.
  /// - Throws: `Refusal`, `FarmError`, `PieceFault`, or the error of a library.
  @discardableResult
  public func render(
    _ choice: ChunkChoice, of film: Film, allowsMixed: Bool = false, lease: Double = 60
  ) throws -> ChunkOutcome {
    let start = try film.folder.now()
    warn(try film.check(allowsMixed: allowsMixed))
    if case .number(let number) = choice { try film.check(number) }
    film.removeLeftovers()
    emit(.began)
    defer { emit(.ended) }
    defer { dropSubtitles() }
    var reportsWaiting = true
    while !isCancelled {
      // Pieces of a replaced plan are useless, and must not count as faults of the new one.
      if !film.isCurrent { throw Refusal.failed(.planReplaced(in: film.folder.path)) }
      switch try film.take(choice, lease: lease, since: start) {
      case .finished:
        if case .number(let number) = choice {
          note("piece-already-rendered", "Piece \(number) is rendered already.")
        }
        return .done
      case .failed(let numbers): throw Refusal.failed(.triesExhausted(numbers, of: film))
      case .wait:
        if case .next = choice {
          throw Refusal.temporary(
            "no-piece-free",
            "Other machines are rendering the rest of '\(film.folder.path)': nothing is free right now.")
        }
        if reportsWaiting { note("waiting-for-pieces", "Waiting for \(film.claims(choice) ?? "other machines").") }
        reportsWaiting = false
        Thread.sleep(forTimeInterval: 1)
      case .taken(let lease, let number):
        reportsWaiting = true
        guard try render(number, of: film, lease, since: start, goesOn: choice == .all) else { return .stopped }
        if choice == .all { continue }
        return .done
      }
    }
    return .stopped
  }

  /// Renders a claimed chunk.
  /// - Parameter goesOn: Continues with other chunks if this one fails through its own fault, which counts as a try.
  ///   Errors before a try starts end the work, as they would recur for ever.
  /// - Returns: false if it was stopped.
  private func render(
    _ number: Int, of film: Film, _ lease: Lease, since start: ServerTime, goesOn: Bool
  ) throws -> Bool {
    defer { lease.release() }
    if let record = try film.folder.record(number), let fault = film.fault(record) {
      warn([.pieceRejected(number, fault)])
      try film.folder.reject(number, because: "\(fault)", record: record)
    }
    let heartbeat = try Heartbeat(lease, film, since: start) { [weak self] in self?.cancel() }
    defer { heartbeat.end() }
    let attempt = try Try.begin(number, by: .current, token: lease.token, in: film.folder)
    let span = film.span(number)
    let end = span.upperBound.map(\.clock) ?? "the end"
    note(
      "rendering-piece",
      "Rendering piece \(number) (\(number + 1) of \(film.plan.chunks.count)), from \(span.lowerBound.clock) to "
        + "\(end).")
    do {
      let record = try PieceRun(self, film, number, lease).run(heartbeat)
      guard let record else {
        try? attempt.end(.stopped, in: film.folder)
        if let ending = heartbeat.ending { throw Refusal.failed(ending) }
        note(
          "piece-dropped", "Piece \(number) was dropped. \(MessageText.chunkCommand(film.folder.path)) goes on.")
        return false
      }
      try attempt.end(.done, in: film.folder)
      note(
        "piece-complete",
        "Piece \(number) is complete: \(record.frames.counting("frame")) in \(record.seconds.words(decimals: 1)) s.")
      return true
    } catch let refusal as Refusal where refusal.message.endsWork {
      throw refusal
    } catch {
      let failure = (error as? PieceFault).map { Self.faulty(number, $0) } ?? error
      // Report the first failure.
      try? attempt.end(
        .failed(words: wording.error(failure), isWorthRetrying: Self.isWorthRetrying(error)), in: film.folder)
      guard goesOn, Self.concernsOnlyTheChunk(error) else { throw failure }
      warn("piece-failed", "Piece \(number) failed: \(wording.error(failure))")
      return true
    }
  }

  /// Returns the error for a fault in a piece that was just rendered.
  private static func faulty(_ number: Int, _ fault: PieceFault) -> Refusal {
    .failed("piece-faulty", "Piece \(number) failed verification: \(fault.sentence) It was discarded.")
  }

  /// Returns whether other chunks may succeed despite the error.
  private static func concernsOnlyTheChunk(_ error: any Error) -> Bool {
    if let refusal = error as? Refusal, refusal.message.endsWork { return false }
    return !(error is Cancellation) && !isWorthRetrying(error)
  }

  private static func isWorthRetrying(_ error: any Error) -> Bool {
    if let error = error as? FarmError { return error.isWorthRetrying }
    if error is ThreadError { return true }
    // A folder may be read-only for a while.
    if case .failed(_, _, EROFS, _) = error as? OutputError { return true }
    if case .failed(_, _, let code, _) = error as? FFmpegError, abs(code) == EROFS { return true }
    return (error as? any Failure)?.kind == .temporary
  }
}

extension Message {
  /// The error ends the work on the film, and is not a fault of the chunk.
  fileprivate var endsWork: Bool { code == "film-cancelled" || code == "plan-replaced" }
}

extension Double {
  /// "1:02:03.5"
  fileprivate var clock: String {
    let tenths = Int((Swift.max(self, 0) * 10).rounded())
    let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds)).\(tenths % 10)"
  }
}

extension Film {
  /// Claims a chunk that the choice allows. It is finished if its piece exists, or all do.
  func take(_ choice: Session.ChunkChoice, lease seconds: Double, since start: ServerTime) throws -> Next {
    switch choice {
    case .number(let number):
      if try isRendered(number) { return .finished }
      if folder.wasCancelled(since: start) { throw FarmError.cancelled(path: folder.path) }
      if let lease = try Lease.take(number, in: folder, by: .current, lasting: seconds) { return .taken(lease, number) }
      return .wait
    case .next, .all:
      return try folder.next(
        of: plan.chunks.count, maximumTries: plan.maximumTries, by: .current, lasting: seconds, plan: checksum,
        since: start)
    }
  }

  /// Returns whether a valid piece exists, by a quick check.
  func isRendered(_ number: Int) throws -> Bool {
    try folder.record(number).map { fault($0) == nil } ?? false
  }

  /// Returns the fault that a quick check finds in a piece; nil: none.
  func fault(_ record: PieceRecord) -> PieceFault? {
    if let words = folder.fault(record, plan: checksum) { return .file(words) }
    return nil
  }

  /// Returns the last error message of a failed chunk.
  func lastWords(_ number: Int) -> String? {
    guard case .failed(let words, _) = (try? folder.tries(number))?.last?.outcome else { return nil }
    return words
  }

  /// Describes the chosen chunks that machines are rendering: "piece 3 on box, piece 7 on another machine"; nil: none.
  func claims(_ choice: Session.ChunkChoice) -> String? {
    let numbers = if case .number(let number) = choice { number..<number + 1 } else { plan.chunks.indices }
    let claims: [String] = numbers.compactMap { number in
      folder.claim(number).map { "piece \(number) on \($0.machine?.host ?? "another machine")" }
    }
    return claims.isEmpty ? nil : claims.prefix(5).joined(separator: ", ")
  }

  /// Returns whether all pieces exist, by a quick check.
  public func isWhole() throws -> Bool { try plan.chunks.indices.allSatisfy { try isRendered($0) } }

  /// Returns the span of a chunk in seconds of output time; nil: to the end.
  func span(_ number: Int) -> (lowerBound: Double, upperBound: Double?) {
    let base = plan.inputTimeBase.value
    let start = plan.chunks[0].start
    func seconds(_ ticks: Int64) -> Double { Double(ticks - start) * base }
    return (seconds(plan.chunks[number].start), plan.end(of: number).map(seconds))
  }
}

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

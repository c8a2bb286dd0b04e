internal import Farm
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Media
public import Sessions
internal import Threads

extension Session {
  /// Which chunks are rendered.
  public enum ChunkChoice: Sendable, Hashable {
    /// One by number. If another machine renders it, this one waits.
    case number(Int)
    /// The next that is free.
    case next
    /// All that are free, until the film is complete. Waits for chunks of other machines, which may die.
    case all
  }

  /// What rendering chunks has led to.
  public enum ChunkOutcome: Sendable, Hashable {
    /// Everything that was asked for is there.
    case done
    /// `cancel()` was called: the piece in progress was dropped.
    case stopped
  }

  /// Renders chunks of a film to pieces in its work folder.
  /// - Parameters:
  ///   - choice: Which chunks.
  ///   - film: The film.
  ///   - allowsMixed: Versions other than the plan's are accepted.
  ///   - lease: Seconds without a sign of life after which other machines take a chunk over.
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
    var saysWaiting = true
    while !isCancelled {
      // Pieces of a plan that was replaced are of no use, and must not be taken for faults of the new one.
      if !film.isCurrent { throw Refusal.failed(.planReplaced(in: film.folder.path)) }
      switch try film.take(choice, lease: lease, since: start) {
      case .rendered(let number):
        if let number { note("piece-already-rendered", "Piece \(number) is rendered already.") }
        return .done
      case .failed(let numbers): throw Refusal.failed(.triesExhausted(numbers, of: film))
      case .wait:
        if case .next = choice {
          throw Refusal.temporary(
            "no-piece-free",
            "Other machines are rendering the rest of '\(film.folder.path)': nothing is free right now.")
        }
        if saysWaiting { note("waiting-for-pieces", "Waiting for \(film.claims(choice) ?? "other machines").") }
        saysWaiting = false
        Thread.sleep(forTimeInterval: 1)
      case .taken(let lease, let number):
        saysWaiting = true
        guard try render(number, of: film, lease, since: start, goesOn: choice == .all) else { return .stopped }
        if choice == .all { continue }
        return .done
      }
    }
    return .stopped
  }

  /// Renders a chunk that is claimed.
  /// - Parameter goesOn: With other chunks, if this one fails by its own fault. That counts as a try of it; what fails before a try has
  ///   begun ends the work, as it would fail for ever.
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
      // The first failure is the one to report.
      try? attempt.end(
        .failed(words: wording.error(failure), isWorthRetrying: Self.isWorthRetrying(error)), in: film.folder)
      guard goesOn, Self.concernsOnlyTheChunk(error) else { throw failure }
      warn("piece-failed", "Piece \(number) failed: \(wording.error(failure))")
      return true
    }
  }

  /// A piece that was just made is not as it should be.
  private static func faulty(_ number: Int, _ fault: PieceFault) -> Refusal {
    .failed("piece-faulty", "Piece \(number) failed verification: \(fault.sentence) It was discarded.")
  }

  /// Other chunks may do better.
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
  /// The work on a film ends, through no fault of a chunk.
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
  /// What a choice leads to.
  enum Turn {
    /// It is there, or everything is.
    case rendered(Int?)
    /// It is claimed now.
    case taken(Lease, Int)
    /// Living machines render what is left.
    case wait
    /// These have used up their tries.
    case failed([Int])
  }

  /// Claims a chunk that a choice allows.
  func take(_ choice: Session.ChunkChoice, lease seconds: Double, since start: ServerTime) throws -> Turn {
    switch choice {
    case .number(let number):
      if try isRendered(number) { return .rendered(number) }
      if folder.wasCancelled(since: start) { throw FarmError.cancelled(path: folder.path) }
      if let lease = try Lease.take(number, in: folder, by: .current, lasting: seconds) { return .taken(lease, number) }
      return .wait
    case .next, .all:
      let next = try folder.next(
        of: plan.chunks.count, maximumTries: plan.maximumTries, by: .current, lasting: seconds, plan: checksum,
        since: start)
      switch next {
      case .taken(let lease, let number): return .taken(lease, number)
      case .finished: return .rendered(nil)
      case .failed(let numbers): return .failed(numbers)
      case .wait: return .wait
      }
    }
  }

  /// A valid piece is there, as far as a quick look tells.
  func isRendered(_ number: Int) throws -> Bool {
    try folder.record(number).map { fault($0) == nil } ?? false
  }

  /// What a quick look finds wrong with a piece; nil: nothing.
  func fault(_ record: PieceRecord) -> PieceFault? {
    if let words = folder.fault(record, plan: checksum) { return .file(words) }
    return nil
  }

  /// The last words of a chunk that failed.
  func lastWords(_ number: Int) -> String? {
    guard case .failed(let words, _) = (try? folder.tries(number))?.last?.outcome else { return nil }
    return words
  }

  /// What machines render now, of a choice: "piece 3 on box, piece 7 on another machine"; nil: nothing.
  func claims(_ choice: Session.ChunkChoice) -> String? {
    let numbers = if case .number(let number) = choice { number..<number + 1 } else { plan.chunks.indices }
    let claims: [String] = numbers.compactMap { number in
      folder.claim(number).map { "piece \(number) on \($0.machine?.host ?? "another machine")" }
    }
    return claims.isEmpty ? nil : claims.prefix(5).joined(separator: ", ")
  }

  /// All pieces are there, as far as a quick look tells.
  public func isWhole() throws -> Bool { try plan.chunks.indices.allSatisfy { try isRendered($0) } }

  /// Span of a chunk in seconds of the output; nil: to its end.
  func span(_ number: Int) -> (lowerBound: Double, upperBound: Double?) {
    let base = plan.inputTimeBase.value
    let start = plan.chunks[0].start
    func seconds(_ ticks: Int64) -> Double { Double(ticks - start) * base }
    return (seconds(plan.chunks[number].start), plan.end(of: number).map(seconds))
  }
}

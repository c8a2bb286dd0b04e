/// Describes events in sentences.
enum StatusEvents {
  /// Returns all events, oldest first.
  static func all(_ state: FarmState) -> [FarmStatus.Event] {
    var events: [FarmStatus.Event] = state.rejections.map { rejection in
      let reason = rejection.reason.isEmpty ? "" : ": \(withoutFullStop(rejection.reason))"
      return FarmStatus.Event(
        time: rejection.written, piece: rejection.number, text: "Piece \(rejection.number) was rejected\(reason).")
    }
    if let time = state.cancelTime { events.append(.init(time: time, piece: nil, text: "The work was cancelled.")) }
    for piece in state.pieces {
      events += piece.tries.compactMap { event(of: $0, piece) }
      if let fault = piece.fault {
        events.append(
          .init(time: nil, piece: piece.number, text: "Piece \(piece.number) will be rendered again: \(fault)."))
      }
    }
    return events.sorted { left, right in
      guard let second = right.time else { return left.time != nil }
      return left.time.map { $0 < second } ?? false
    }
  }

  private static func event(of attempt: Try, _ piece: FarmState.Piece) -> FarmStatus.Event? {
    let subject = "Piece \(attempt.number), try \(attempt.index) on \(attempt.machine?.host ?? "an unknown machine")"
    switch attempt.outcome {
    case .done: return .init(time: attempt.written, piece: attempt.number, text: "\(subject): done.")
    case .stopped: return .init(time: attempt.written, piece: attempt.number, text: "\(subject) was stopped.")
    case .failed(let words, let isWorthRetrying):
      let note = isWorthRetrying ? " It does not count." : ""
      return .init(
        time: attempt.written, piece: attempt.number, text: "\(subject) failed: \(withoutFullStop(words)).\(note)")
    case nil:
      if attempt.isLiving(piece.claim) { return nil }
      let claim = ownClaim(attempt, piece)
      return .init(
        time: claim?.modified ?? attempt.written, piece: attempt.number, text: "\(subject): \(silence(claim)).")
    }
  }

  private static func ownClaim(_ attempt: Try, _ piece: FarmState.Piece) -> Claim? {
    piece.claim.flatMap { $0.token == attempt.token ? $0 : nil }
  }

  private static func silence(_ claim: Claim?) -> String {
    guard let age = claim?.age else { return "no sign of life" }
    return "no sign of life for \(StatusWords.duration(age))"
  }

  /// Returns the latest news of a chunk, without a full stop; nil: none.
  static func lastWords(of piece: FarmState.Piece, _ entry: QueueEntry?) -> String? {
    switch piece.state {
    case .done, .running: return nil
    case .waiting, .lost, .failed: break
    }
    var words: String?
    switch piece.tries.last.map(\.outcome) {
    case .some(.failed(let reason, _)): words = withoutFullStop(reason)
    case .some(nil): words = silence(piece.tries.last.flatMap { ownClaim($0, piece) })
    case .some(.stopped): words = "stopped"
    case .some(.done), .none: words = piece.fault
    }
    let queued = entry.flatMap(StatusWords.queue).map { "job \(entry?.job ?? "") \($0)" }
    return [words, queued].compactMap { $0 }.joined(separator: "; ").nilIfEmpty
  }

  private static func withoutFullStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}

extension String {
  fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}

/// Rendering rates of machines, and the estimated time for the rest of a film.
struct StatusRates {
  private let pieces: [FarmStatus.Piece]
  /// Frames and seconds of completed pieces, by host.
  private var hosts: [String: (frames: Double, seconds: Double)] = [:]
  private var all = (frames: 0.0, seconds: 0.0)

  init(_ pieces: [FarmStatus.Piece]) {
    self.pieces = pieces
    for case .done(let record) in pieces.lazy.map(\.state) where record.frames > 0 && record.seconds > 0 {
      all.frames += Double(record.frames)
      all.seconds += record.seconds
      hosts[record.machine.host, default: (0, 0)].frames += Double(record.frames)
      hosts[record.machine.host, default: (0, 0)].seconds += record.seconds
    }
  }

  /// nil if unknown: nothing is running, or nothing has been measured.
  var secondsLeft: Double? {
    var (left, rate, longest) = (0.0, 0.0, 0.0)
    var isComplete = true
    for piece in pieces {
      switch piece.state {
      case .done, .failed: continue
      case .running(let claim):
        let own = Double(piece.frames - piece.framesDone)
        left += own
        if let known = self.rate(of: claim) {
          rate += known
          longest = max(longest, own / known)
        }
      case .waiting, .lost: left += Double(piece.frames)
      }
      isComplete = false
    }
    if isComplete { return pieces.allSatisfy { if case .done = $0.state { true } else { false } } ? 0 : nil }
    return rate > 0 ? max(left / rate, longest) : nil
  }

  /// Returns the frame rate of a machine; one that has just started is assumed to be as fast as before.
  private func rate(of claim: Claim) -> Double? {
    if claim.framesPerSecond > 0 { return claim.framesPerSecond }
    let known = claim.machine.flatMap { hosts[$0.host] } ?? all
    return known.seconds > 0 ? known.frames / known.seconds : nil
  }
}

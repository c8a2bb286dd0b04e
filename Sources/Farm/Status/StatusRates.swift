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

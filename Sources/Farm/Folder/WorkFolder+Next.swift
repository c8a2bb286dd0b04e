internal import Files

/// What a machine does next.
public enum Next: Sendable {
  /// It renders a chunk.
  case taken(Lease, Int)
  /// Nothing now: living machines have claimed all that is left, one of which may yet fail.
  case wait
  /// Nothing: every piece is there.
  case finished
  /// Nothing: these chunks have used their tries, and all other pieces are there.
  case failed([Int])
}

extension WorkFolder {
  /// Claims the first chunk that has no piece, no living machine, and tries left.
  ///
  /// Folders are listed once. Only when nothing else is left, the pieces that are there are checked, and those with a
  /// fault are rejected and rendered again.
  /// - Parameters:
  ///   - count: Chunks of the film.
  ///   - maximumTries: Tries that a chunk may use, at least 1.
  ///   - machine: What will render.
  ///   - seconds: See `Lease.take`.
  ///   - plan: Checksum of the plan, which pieces must be of; nil: any.
  ///   - start: When this process began to work in the folder (`now()`); nil: it is not ended by `cancel`.
  /// - Throws: `FarmError.cancelled` if the work was cancelled since; otherwise what the file system refuses.
  public func next(
    of count: Int, maximumTries: Int, by machine: Machine, lasting seconds: Double = Claim.usualDuration,
    plan: String? = nil, since start: ServerTime? = nil
  ) throws(FarmError) -> Next {
    if let start, wasCancelled(since: start) { throw .cancelled(path: path) }
    var search = ChunkSearch(
      folder: self, machine: machine, duration: seconds, maximumTries: maximumTries, plan: plan,
      claimed: try claimedNumbers(), tries: try tryIndices(), now: try now())
    // Listed last: a piece that was there when its claim had gone is not taken for missing.
    let recorded = try recordedNumbers()
    for number in 0..<max(count, 0) where !recorded.contains(number) {
      if let lease = try search.take(number) { return .taken(lease, number) }
    }
    if search.foundLiving { return .wait }
    for number in 0..<max(count, 0) where recorded.contains(number) {
      if try !isSound(number, plan: plan, rejecting: true), let lease = try search.take(number) {
        return .taken(lease, number)
      }
    }
    if search.foundLiving { return .wait }
    return search.exhausted.isEmpty ? .finished : .failed(search.exhausted.sorted())
  }

  /// Numbers of records, damaged ones included.
  func recordedNumbers() throws(FarmError) -> Set<Int> {
    Set(
      try names(in: piecesPath).compactMap { name in
        if case .record(let number) = PieceName(name) { number } else { nil }
      })
  }

  func claimedNumbers() throws(FarmError) -> Set<Int> { Set(try names(in: claimsPath).compactMap { Int(plain: $0) }) }

  /// Whether a piece is there and nothing is wrong with it, as far as a quick check finds.
  /// - Parameter rejecting: Whether to reject it otherwise.
  func isSound(_ number: Int, plan: String?, rejecting: Bool) throws(FarmError) -> Bool {
    switch try storedRecord(number) {
    case .none: return false
    case .damaged(let reason):
      if rejecting { try reject(number, because: reason) }
      return false
    case .sound(let record):
      guard let fault = plan.map({ fault(record, plan: $0) }) ?? fault(record) else { return true }
      if rejecting { try reject(number, because: fault, record: record) }
      return false
    }
  }
}

/// The search for a chunk to render.
struct ChunkSearch {
  let folder: WorkFolder
  let machine: Machine
  let duration: Double
  let maximumTries: Int
  let plan: String?
  let claimed: Set<Int>
  let tries: [Int: [Int]]
  let now: ServerTime
  /// Whether living machines render some of those that were tried.
  private(set) var foundLiving = false
  /// Chunks that have used their tries.
  private(set) var exhausted: [Int] = []

  /// - Returns: nil if the chunk cannot be taken, or its piece has just come.
  mutating func take(_ number: Int) throws(FarmError) -> Lease? {
    if claimed.contains(number), isClaimed(number) { return nil }
    if (tries[number] ?? []).count >= maximumTries, try isExhausted(number) { return nil }
    guard let lease = try Lease.take(number, in: folder, by: machine, lasting: duration) else {
      foundLiving = true
      return nil
    }
    do throws(FarmError) {
      if try !folder.isSound(number, plan: plan, rejecting: false) { return lease }
    } catch {
      lease.release()
      throw error
    }
    lease.release()
    return nil
  }

  /// By a living machine.
  private mutating func isClaimed(_ number: Int) -> Bool {
    guard let claim = folder.claim(number, now: now), !claim.isFree(for: machine) else { return false }
    foundLiving = true
    return true
  }

  /// Claims are read before and after: a try that goes on must not be taken for one that ended without a word.
  private mutating func isExhausted(_ number: Int) throws(FarmError) -> Bool {
    if isClaimed(number) { return true }
    let used = (tries[number] ?? []).count { Try.read(number, $0, in: folder).counts(nil) }
    if used < maximumTries { return false }
    if isClaimed(number) { return true }
    if try !folder.isSound(number, plan: plan, rejecting: false) { exhausted.append(number) }
    return true
  }
}

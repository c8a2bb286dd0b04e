internal import Files

/// The next step for a machine.
public enum Next: Sendable {
  /// Render a chunk.
  case taken(Lease, Int)
  /// Wait: active machines have claimed all remaining chunks, and may yet fail.
  case wait
  /// Finished: all pieces exist.
  case finished
  /// Failed: these chunks have used up their tries; all other pieces exist.
  case failed([Int])
}

extension WorkFolder {
  /// Claims the first chunk that has no piece, no active machine, and tries left.
  ///
  /// Lists each folder once. Existing pieces are checked only when nothing else is left; faulty ones are rejected and
  /// rendered again.
  /// - Parameters:
  ///   - count: The number of chunks.
  ///   - maximumTries: Maximum number of tries per chunk, at least 1.
  ///   - machine: The rendering machine.
  ///   - seconds: See `Lease.take`.
  ///   - plan: Checksum of the plan that pieces must belong to; nil: any.
  ///   - start: When this process started working in the folder (`now()`); nil: `cancel` has no effect.
  /// - Throws: `FarmError.cancelled` if the work was cancelled since; otherwise errors of the file system.
  public func next(
    of count: Int, maximumTries: Int, by machine: Machine, lasting seconds: Double = Claim.defaultDuration,
    plan: String? = nil, since start: ServerTime? = nil
  ) throws(FarmError) -> Next {
    if let start, wasCancelled(since: start) { throw .cancelled(path: path) }
    var search = ChunkSearch(
      folder: self, machine: machine, duration: seconds, maximumTries: maximumTries, plan: plan,
      claimed: try claimedNumbers(), tries: try tryIndices(), now: try now())
    // Listed last: a piece completed while its claim disappeared must not count as missing.
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

  /// Returns the numbers of records, including damaged ones.
  func recordedNumbers() throws(FarmError) -> Set<Int> {
    Set(
      try names(in: piecesPath).compactMap { name in
        if case .record(let number) = PieceName(name) { number } else { nil }
      })
  }

  func claimedNumbers() throws(FarmError) -> Set<Int> { Set(try names(in: claimsPath).compactMap { Int(plain: $0) }) }

  /// Returns whether a piece exists and passes a quick check.
  /// - Parameter rejecting: Whether to reject a faulty piece.
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
  /// Whether active machines hold some of the chunks tried.
  private(set) var foundLiving = false
  /// Chunks that have used up their tries.
  private(set) var exhausted: [Int] = []

  /// - Returns: nil if the chunk cannot be taken, or its piece has just been completed.
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

  /// Whether an active machine has claimed it.
  private mutating func isClaimed(_ number: Int) -> Bool {
    guard let claim = folder.claim(number, now: now), !claim.isFree(for: machine) else { return false }
    foundLiving = true
    return true
  }

  /// Reads claims before and after: an active try must not count as one that ended without an outcome.
  private mutating func isExhausted(_ number: Int) throws(FarmError) -> Bool {
    if isClaimed(number) { return true }
    let used = (tries[number] ?? []).count { Try.read(number, $0, in: folder).counts(nil) }
    if used < maximumTries { return false }
    if isClaimed(number) { return true }
    if try !folder.isSound(number, plan: plan, rejecting: false) { exhausted.append(number) }
    return true
  }
}

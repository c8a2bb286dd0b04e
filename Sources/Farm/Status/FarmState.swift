internal import Files

/// A snapshot of a work folder's chunks.
public struct FarmState: Sendable {
  /// The state of a chunk.
  public struct Piece: Sendable {
    /// The number, from 0.
    public let number: Int
    /// The progress.
    public let state: PieceState
    /// The tries in order; empty for a piece that succeeded at the first.
    public let tries: [Try]
    /// The fault of an existing piece, as a sentence ending: it will be rendered again.
    public let fault: String?
    /// The number of tries.
    public let tryCount: Int
    /// The claim, even if it has expired.
    let claim: Claim?
  }

  /// All chunks, by number.
  public let pieces: [Piece]
  /// Rejected pieces.
  public let rejections: [Rejection]
  /// The time of reading, by the server's clock; nil if the clock is not available because the folder is read-only.
  public let time: ServerTime?
  /// The time of the last cancellation.
  public let cancelTime: ServerTime?

  /// Reads the folder: lists each subfolder once, and reads files only as needed.
  /// - Parameters:
  ///   - folder: The film's work folder.
  ///   - count: The number of chunks.
  ///   - maximumTries: Maximum number of tries per chunk, at least 1.
  ///   - plan: Checksum of the plan that pieces must belong to; nil: any.
  /// - Throws: `FarmError` if the folder cannot be read.
  public init(_ folder: WorkFolder, count: Int, maximumTries: Int, plan: String? = nil) throws(FarmError) {
    let claimed = try folder.claimedNumbers()
    let tries = try folder.tryIndices()
    time = try? folder.now()
    cancelTime = folder.cancelTime
    let names = try folder.names(in: folder.piecesPath)
    var recorded: Set<Int> = []
    var rejections: [Rejection] = []
    for name in names {
      switch PieceName(name) {
      case .record(let number): recorded.insert(number)
      case .rejection(let number): if let found = folder.rejection(number, name) { rejections.append(found) }
      default: break
      }
    }
    self.rejections = rejections.sorted { $0.written < $1.written }
    let reader = Reader(folder: folder, maximumTries: maximumTries, plan: plan, time: time)
    var pieces: [Piece] = []
    for number in 0..<max(count, 0) {
      pieces.append(
        try reader.piece(
          number, isRecorded: recorded.contains(number), isClaimed: claimed.contains(number), tries[number] ?? []))
    }
    self.pieces = pieces
  }

  private struct Reader {
    let folder: WorkFolder
    let maximumTries: Int
    let plan: String?
    let time: ServerTime?

    func piece(
      _ number: Int, isRecorded: Bool, isClaimed: Bool, _ indices: [Int]
    ) throws(FarmError) -> Piece {
      var fault: String?
      if isRecorded {
        switch try folder.storedRecord(number) {
        case .none: break
        case .damaged(let reason): fault = reason
        case .sound(let record):
          fault = plan.map { folder.fault(record, plan: $0) } ?? folder.fault(record)
          if fault == nil {
            let tries = indices.count > 1 ? indices.map { Try.read(number, $0, in: folder) } : []
            return Piece(
              number: number, state: .done(record), tries: tries, fault: nil, tryCount: indices.count, claim: nil)
          }
        }
      }
      let claim = isClaimed ? folder.claim(number, now: time) : nil
      let tries = indices.map { Try.read(number, $0, in: folder) }
      return Piece(
        number: number, state: state(claim, tries), tries: tries, fault: fault, tryCount: indices.count, claim: claim)
    }

    private func state(_ claim: Claim?, _ tries: [Try]) -> PieceState {
      if let claim, !claim.isExpired, claim.process?.hasEnded != true { return .running(claim) }
      if tries.count(where: { $0.counts(nil) }) >= maximumTries { return .failed(tries) }
      if let last = tries.last, last.outcome == nil { return .lost(claim) }
      return claim == nil ? .waiting : .lost(claim)
    }
  }
}

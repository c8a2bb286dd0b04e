internal import Files

/// What a work folder says of all chunks, read at once.
public struct FarmState: Sendable {
  /// One chunk.
  public struct Piece: Sendable {
    /// From 0.
    public let number: Int
    /// How far it is.
    public let state: PieceState
    /// Its tries, in order; none of a piece that was done at the first.
    public let tries: [Try]
    /// What is wrong with the piece that is there, as the end of a sentence: it will be rendered again.
    public let fault: String?
    /// Tries that it has had.
    public let tryCount: Int
    /// Its claim, even if it has expired.
    let claim: Claim?
  }

  /// All chunks, by number.
  public let pieces: [Piece]
  /// Pieces that were found wrong and moved aside.
  public let rejections: [Rejection]
  /// When the folder was read, by the server's clock; nil where that could not be asked, since the folder is read-only.
  public let time: ServerTime?
  /// When the work was last cancelled.
  public let cancelTime: ServerTime?

  /// Reads the folder: every list of names once, and what is in files only as far as it is needed.
  /// - Parameters:
  ///   - folder: Of the film.
  ///   - count: Chunks of the film.
  ///   - maximumTries: Tries that a chunk may use, at least 1.
  ///   - plan: Checksum of the plan, which pieces must be of; nil: any.
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

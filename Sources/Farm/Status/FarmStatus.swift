/// The progress of a film.
public struct FarmStatus: Sendable {
  /// The status of a chunk.
  public struct Piece: Sendable {
    /// The number, from 0.
    public let number: Int
    /// The number of frames.
    public let frames: Int
    /// The start in the film, in seconds.
    public let begin: Double
    /// The progress.
    public let state: PieceState
    /// The number of tries.
    public let tries: Int
    /// The latest news: how a try failed, or the queue's report.
    public let words: String?
    /// The queue's entry.
    public let queue: QueueEntry?

    /// The number of rendered frames.
    public var framesDone: Int {
      switch state {
      case .done: frames
      case .running(let claim): min(claim.frames, frames)
      default: 0
      }
    }
  }

  /// An event.
  public struct Event: Hashable, Sendable {
    /// The time by the server's clock; nil: a current condition.
    public let time: ServerTime?
    /// The chunk number; nil: all chunks.
    public let piece: Int?
    /// A sentence.
    public let text: String
  }

  /// The number of chunks by state.
  public struct Counts: Hashable, Sendable {
    /// Available to any machine.
    public var waiting = 0
    /// Being rendered.
    public var running = 0
    /// Claimed by machines that no longer respond.
    public var lost = 0
    /// Completed.
    public var done = 0
    /// Out of tries.
    public var failed = 0
    /// All chunks.
    public var total: Int { waiting + running + lost + done + failed }
  }

  /// The work folder.
  public let folder: WorkFolder
  /// The outline of its plan.
  public let film: FilmOutline
  /// All chunks, by number.
  public let pieces: [Piece]
  /// The number of chunks by state.
  public let counts: Counts
  /// Events, oldest first; current conditions come last.
  public let events: [Event]
  /// Estimated seconds until all pieces exist at the current rate; nil if unknown.
  public let secondsLeft: Double?
  /// The time of reading, by the server's clock; nil if the clock is not available.
  public let time: ServerTime?

  /// The output has been assembled, too.
  public var isAssembled = false
  /// Whether all pieces exist.
  public var isComplete: Bool { counts.done == pieces.count }
  /// The number of rendered frames.
  public var framesDone: Int { pieces.reduce(0) { $0 + $1.framesDone } }
  /// The number of frames of the film.
  public var frames: Int { pieces.reduce(0) { $0 + $1.frames } }

  /// Reads a work folder.
  /// - Parameters:
  ///   - folder: The film's work folder.
  ///   - film: The outline of its plan.
  ///   - plan: Checksum of the plan that pieces must belong to; nil: any.
  ///   - queue: The queue's entries of chunks; if a chunk has several, the last one counts.
  /// - Throws: `FarmError` if the folder cannot be read.
  public init(
    _ folder: WorkFolder, _ film: FilmOutline, plan: String? = nil, queue: [QueueEntry] = []
  ) throws(FarmError) {
    let state = try FarmState(folder, count: film.frames.count, maximumTries: film.maximumTries, plan: plan)
    self.init(state, folder, film, queue)
  }

  private init(_ state: FarmState, _ folder: WorkFolder, _ film: FilmOutline, _ queue: [QueueEntry]) {
    let entries = Dictionary(queue.map { ($0.number, $0) }) { $1 }
    var begin = 0.0
    var pieces: [Piece] = []
    var counts = Counts()
    for (piece, (frames, seconds)) in zip(state.pieces, zip(film.frames, film.seconds)) {
      let entry = entries[piece.number]
      pieces.append(
        Piece(
          number: piece.number, frames: frames, begin: begin, state: piece.state, tries: piece.tryCount,
          words: StatusEvents.lastWords(of: piece, entry), queue: entry))
      begin += seconds
      counts.add(piece.state)
    }
    (self.folder, self.film, self.pieces, self.counts) = (folder, film, pieces, counts)
    time = state.time
    events = StatusEvents.all(state)
    secondsLeft = StatusRates(pieces).secondsLeft
  }
}

extension FarmStatus.Counts {
  fileprivate mutating func add(_ state: PieceState) {
    switch state {
    case .waiting: waiting += 1
    case .running: running += 1
    case .lost: lost += 1
    case .done: done += 1
    case .failed: failed += 1
    }
  }
}

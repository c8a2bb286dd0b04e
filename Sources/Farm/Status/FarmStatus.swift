/// How a film is doing.
public struct FarmStatus: Sendable {
  /// A chunk and what is known of it.
  public struct Piece: Sendable {
    /// From 0.
    public let number: Int
    /// Of the chunk.
    public let frames: Int
    /// Where it begins in the film, in seconds.
    public let begin: Double
    /// How far it is.
    public let state: PieceState
    /// Tries that it has had.
    public let tries: Int
    /// What was last heard of it: how a try failed, or what the queue says.
    public let words: String?
    /// What the queue says of it.
    public let queue: QueueEntry?

    /// Frames that are rendered.
    public var framesDone: Int {
      switch state {
      case .done: frames
      case .running(let claim): min(claim.frames, frames)
      default: 0
      }
    }
  }

  /// Something that has happened.
  public struct Event: Hashable, Sendable {
    /// By the server's clock; nil: it is so now.
    public let time: ServerTime?
    /// The chunk's number; nil: it concerns all.
    public let piece: Int?
    /// A sentence.
    public let text: String
  }

  /// Chunks by their state.
  public struct Counts: Hashable, Sendable {
    /// Any machine may take them.
    public var waiting = 0
    /// Machines render them.
    public var running = 0
    /// Their machines show no sign of life.
    public var lost = 0
    /// Their pieces are there.
    public var done = 0
    /// They have used their tries.
    public var failed = 0
    /// All chunks.
    public var total: Int { waiting + running + lost + done + failed }
  }

  /// Whose status it is.
  public let folder: WorkFolder
  /// Its plan in short.
  public let film: FilmOutline
  /// All chunks, by number.
  public let pieces: [Piece]
  /// Chunks by their state.
  public let counts: Counts
  /// What has happened, oldest first; what is so now comes last.
  public let events: [Event]
  /// Time until all pieces are there if machines go on as they do, in seconds; nil if it is not known.
  public let secondsLeft: Double?
  /// When the folder was read, by the server's clock; nil where that could not be asked.
  public let time: ServerTime?

  /// The output is there, too.
  public var isAssembled = false
  /// Whether every piece is there.
  public var isComplete: Bool { counts.done == pieces.count }
  /// Frames that are rendered.
  public var framesDone: Int { pieces.reduce(0) { $0 + $1.framesDone } }
  /// Frames of the film.
  public var frames: Int { pieces.reduce(0) { $0 + $1.frames } }

  /// Reads a work folder.
  /// - Parameters:
  ///   - folder: Of the film.
  ///   - film: Its plan in short.
  ///   - plan: Checksum of the plan, which pieces must be of; nil: any.
  ///   - queue: What a queue says about chunks; of several entries of a chunk, the last counts.
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

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

  /// Returns all pieces in order, in groups of nearly equal size.
  func groups(atMost maximum: Int) -> [PieceGroup] {
    let count = min(max(maximum, 1), pieces.count)
    return (0..<count).map { index in
      PieceGroup(pieces: pieces[index * pieces.count / count..<(index + 1) * pieces.count / count])
    }
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

/// The progress of a chunk.
public enum PieceState: Hashable, Sendable {
  /// Available to any machine.
  case waiting
  /// Being rendered.
  case running(Claim)
  /// Its machine no longer responds; available to any other. The claim, if it still exists.
  case lost(Claim?)
  /// Completed.
  case done(PieceRecord)
  /// Out of tries: the tries.
  case failed([Try])

  /// The name of the state in one word.
  public var name: String {
    switch self {
    case .waiting: "waiting"
    case .running: "running"
    case .lost: "lost"
    case .done: "done"
    case .failed: "failed"
    }
  }
}

/// Adjacent pieces, displayed as one.
struct PieceGroup {
  let pieces: ArraySlice<FarmStatus.Piece>

  /// The most important state; nil: some are done, the others wait.
  var state: PieceState? {
    func first(_ name: String) -> PieceState? { pieces.lazy.map(\.state).first { $0.name == name } }
    if let state = first("failed") ?? first("lost") ?? first("running") { return state }
    let done = first("done")
    return done != nil && first("waiting") != nil ? nil : done ?? .waiting
  }

  var character: Character {
    switch state {
    case .failed: "!"
    case .lost: "?"
    case .running: ">"
    case .done: "#"
    case .waiting: "."
    case nil: "+"
    }
  }

  var frames: Int { pieces.reduce(0) { $0 + $1.frames } }
  var framesDone: Int { pieces.reduce(0) { $0 + $1.framesDone } }

  /// The range of numbers: "17", "17 to 20".
  var numbers: String {
    guard let first = pieces.first?.number, let last = pieces.last?.number else { return "" }
    return first == last ? "\(first)" : "\(first) to \(last)"
  }
}

/// The outline of a film's plan for its status.
public struct FilmOutline: Hashable, Sendable {
  /// A display name, such as the name of the input.
  public var name: String
  /// The output.
  public var output: String
  /// The number of frames of each chunk.
  public let frames: [Int]
  /// The duration of each chunk in seconds.
  public let seconds: [Double]
  /// The frame rate; 0 if the film has none.
  public var framesPerSecond: Double
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int
  /// Maximum number of tries per chunk.
  public var maximumTries: Int

  /// Creates an outline; values are limited to what a film can have, and a missing duration is 0.
  public init(
    name: String, output: String, frames: [Int], seconds: [Double], framesPerSecond: Double, width: Int, height: Int,
    maximumTries: Int
  ) {
    self.name = name
    self.output = output
    self.frames = frames.map { min(max($0, 0), PieceRecord.maximumFrames) }
    self.seconds = frames.indices.map { index in
      guard seconds.indices.contains(index), seconds[index].isFinite else { return 0 }
      return min(max(seconds[index], 0), 1e9)
    }
    self.framesPerSecond = framesPerSecond.isFinite ? framesPerSecond : 0
    self.width = width
    self.height = height
    self.maximumTries = max(maximumTries, 1)
  }
}

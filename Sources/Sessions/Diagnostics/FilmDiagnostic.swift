/// About a film that is rendered in pieces.
public enum FilmDiagnostic: Sendable, Hashable, Codable {
  /// Why an input, or what is asked of it, cannot be divided.
  case cannotBeDivided(name: String, FilmObstacle)
  /// A file cannot be read, and why.
  case cannotRead(name: String, reason: String)
  /// All packets of the input are read to find its frames.
  case readsPackets(name: String)
  /// All frames are decoded to follow the dynamic metadata over them.
  case followsShots(name: String)
  /// The work folder has this very plan.
  case isPlanned(folder: String)
  /// The work folder has another plan, which is replaced only if asked for.
  case holdsAnotherPlan(folder: String)
  /// The folder has no plan, or a damaged one.
  case isNoPlan(folder: String)
  /// The plan was made by, or for, another version: what, the plan's version, this one.
  case isOfOtherVersion(folder: String, tool: String, planned: String, own: String)
  /// The same, where that is accepted.
  case mixesVersions(tool: String, planned: String, own: String)
  /// The input is no longer what it was.
  case inputChanged(name: String, InputFingerprint.Change)
  /// The plan has no chunk of this number.
  case hasNoChunk(number: Int, count: Int)
  /// A piece is there and valid.
  case isRendered(number: Int)
  /// Living machines render pieces that are waited for.
  case isAwaited([Claimed])
  /// Machines render the rest, and nothing else is free.
  case nothingIsFree(folder: String)
  /// A piece is about to be rendered: its number, that of all, and its span in seconds of the film.
  case renders(number: Int, count: Int, from: Double, to: Double?)
  /// A piece is complete.
  case rendered(number: Int, frames: Int, seconds: Double)
  /// A piece was rejected, and why: it is rendered again.
  case isRejected(number: Int, PieceFault)
  /// A piece that was just made is not as it should be.
  case isFaulty(number: Int, PieceFault)
  /// Pieces that are missing, and those that are not valid, with the reason.
  case isIncomplete(folder: String, missing: [Int], rejected: [Rejection])
  /// Pieces that have used up their tries, and the last words of the first.
  case hasFailed(folder: String, numbers: [Int], lastWords: String?)
  /// The film was assembled before.
  case isAssembled(output: String)
  /// Somebody has cancelled the film.
  case isCancelled(folder: String)
  /// Jobs were submitted to a queue, for this many chunks; none: all are in the queue.
  case submitted(jobs: [String], chunks: Int)
  /// Pieces are joined.
  case joins(count: Int, output: String)

  /// A piece that a machine renders.
  public struct Claimed: Sendable, Hashable, Codable {
    /// Number of the piece.
    public let number: Int
    /// Name of the machine.
    public let host: String
  }

  /// A piece that is not valid.
  public struct Rejection: Sendable, Hashable, Codable {
    /// Number of the piece.
    public let number: Int
    /// What is wrong with it.
    public let fault: PieceFault
  }
}

/// What can be wrong with a piece.
public enum PieceFault: Error, Sendable, Hashable, Codable {
  /// It holds another number of frames than were rendered, or than the input has there.
  case frames(expected: Int, found: Int)
  /// It does not begin with a key frame.
  case beginsWithoutKeyFrame
  /// Packets of it that do not decode.
  case isDamaged(packets: Int)
  /// Its tags, size or format are not those of the plan.
  case tags
  /// Its bytes are not those that were written.
  case contents
  /// Its file cannot be read, and why.
  case isUnreadable(String)
  /// The quick look at its file found something, as the end of a sentence.
  case file(String)
  /// The configuration of its encoder is not that of the first piece.
  case configuration
  /// What made it: the tool, the version of the plan, that of the piece.
  case version(tool: String, planned: String, found: String)
  /// The frame after the piece before it is not its first frame: their times in seconds, or nil where there is no frame.
  case seam(before: Double?, first: Double?)
}

extension PieceFault: CustomStringConvertible {
  /// The end of a sentence.
  public var description: String {
    switch self {
    case .frames(let expected, let found): "it has \(found) frames, not \(expected)"
    case .beginsWithoutKeyFrame: "it does not begin with a key frame"
    case .isDamaged(let packets): "\(packets) of its packets cannot be decoded"
    case .tags: "its size or its colour tags are not those of the plan"
    case .contents: "its bytes are not those that were written"
    case .isUnreadable(let reason): "it cannot be read: \(reason)"
    case .file(let words): words
    case .configuration: "the configuration of its encoder is not that of the first piece"
    case .version(let tool, let planned, let found): "it was made by \(tool) \(found), and the plan is for \(planned)"
    case .seam(let before, let first): Self.seam(before, first)
    }
  }

  private static func seam(_ before: Double?, _ first: Double?) -> String {
    func words(_ seconds: Double?) -> String {
      seconds.map { "at \(($0 * 1000).rounded() / 1000) s of the input" } ?? "missing"
    }
    if before == first {
      return "its first frame, \(words(first)), is not the picture that the piece before it has decoded there"
    }
    return "its first frame is \(words(first)), but the one after the piece before it is \(words(before))"
  }
}

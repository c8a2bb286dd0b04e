internal import Sessions

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

/// A piece that is not valid.
struct RejectedPiece {
  /// Number of the piece.
  let number: Int
  /// What is wrong with it.
  let fault: PieceFault
}

extension PieceFault {
  /// The end of a sentence, and which parameter would help.
  var sentence: MessageText {
    if case .version = self { return "\(description). \(.allowMixed) accepts that." }
    return "\(description)."
  }
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
      return "its first frame, \(words(first)), does not match the frame that the previous piece decoded there"
    }
    return "its first frame is \(words(first)), but the previous piece saw one \(words(before))"
  }
}

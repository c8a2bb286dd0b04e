internal import Sessions

/// A fault of a piece.
public enum PieceFault: Error, Sendable, Hashable, Codable {
  /// Its number of frames differs from what was rendered, or from the input's.
  case frames(expected: Int, found: Int)
  /// It does not begin with a key frame.
  case beginsWithoutKeyFrame
  /// Some of its packets do not decode.
  case isDamaged(packets: Int)
  /// Its tags, size or format differ from the plan.
  case tags
  /// Its bytes differ from those written.
  case contents
  /// Its file cannot be read: the reason.
  case isUnreadable(String)
  /// The quick check of its file failed: the reason, worded as the end of a sentence.
  case file(String)
  /// Its encoder configuration differs from the first piece's.
  case configuration
  /// It was made by another version: the tool, the planned version, and the piece's.
  case version(tool: String, planned: String, found: String)
  /// The previous piece expects another first frame: times in seconds, nil without a frame.
  case seam(before: Double?, first: Double?)
}

/// An invalid piece.
struct RejectedPiece {
  /// Number of the piece.
  let number: Int
  /// Its fault.
  let fault: PieceFault
}

extension PieceFault {
  /// The end of a sentence, and the parameter that would help.
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

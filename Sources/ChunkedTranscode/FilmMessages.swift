internal import Farm
internal import HTMLReports
internal import Sessions

extension Message {
  /// The plan in the work folder has been replaced.
  static func planReplaced(in folder: String) -> Message {
    Message(
      "plan-replaced",
      "'\(folder)' was given a new plan: what was being rendered for the old one was dropped. "
        + "\(MessageText.chunkCommand(folder)) renders the new one.")
  }

  /// Pieces have exhausted their tries. The text ends with the last error of the first piece.
  static func triesExhausted(_ numbers: [Int], of film: Film) -> Message {
    let folder = film.folder.path
    let words = film.lastWords(numbers[0]).map { ": \($0)" } ?? "."
    return Message(
      "tries-exhausted",
      "\(pieces(numbers)) of '\(folder)' failed as often as \(.maxTries) allows\(words) Try once more with "
        + "\(MessageText.chunkCommand(folder, numbers[0])).")
  }

  /// Versions are mixed and accepted: the tool, the planned version, and the other.
  static func versionsMixed(_ tool: String, planned: String, own: String) -> Message {
    Message(
      "versions-mixed",
      "The plan is for \(tool) \(planned), and this is \(own): the film may look different where pieces meet.")
  }

  /// A piece is being rendered again.
  static func pieceRejected(_ number: Int, _ fault: PieceFault) -> Message {
    Message("piece-rejected", "Piece \(number) is rejected: \(fault.sentence)")
  }

  /// Pieces are missing or invalid.
  static func filmIncomplete(in folder: String, missing: [Int], rejected: [RejectedPiece]) -> Message {
    var sentences: [MessageText] = []
    if !missing.isEmpty {
      sentences.append("\(pieces(missing)) of '\(folder)' \(missing.count == 1 ? "is" : "are") not rendered yet.")
    }
    for each in rejected.prefix(3) {
      sentences.append("Piece \(each.number) failed verification: \(each.fault.sentence)")
    }
    if rejected.count > 3 {
      sentences.append("The same goes for \(pieces(rejected.dropFirst(3).map(\.number)).lowercased()).")
    }
    let all = missing + rejected.map(\.number)
    let command = MessageText.chunkCommand(folder, all.count == 1 ? all[0] : nil)
    sentences.append(
      "Render \(all.count == 1 ? "it" : "them") with \(command), or wait for other machines with \(.awaitPieces).")
    return Message("film-incomplete", sentences.joined(separator: " "))
  }

  /// "Pieces 3, 7 to 9"
  private static func pieces(_ numbers: [Int]) -> String {
    let numbers = numbers.sorted()
    let spans = numbers.ranges
    let words = spans.prefix(20).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
    let more = spans.count > 20 ? ", ..." : ""
    return (numbers.count == 1 ? "Piece " : "Pieces ") + words.joined(separator: ", ") + more
  }
}

extension MessageText {
  /// A command to paste that renders a piece of a work folder, or all.
  static func chunkCommand(_ folder: String, _ number: Int? = nil) -> MessageText {
    let word = ShellWords.word(folder)
    guard let number else { return "headroom chunk \(word) \(.allPieces)" }
    return "headroom chunk \(word) \(number)"
  }
}

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

  /// The end of a sentence, and the parameter that would help.
  var sentence: MessageText {
    if case .version = self { return "\(description). \(.allowMixed) accepts that." }
    return "\(description)."
  }
}

/// An invalid piece.
struct RejectedPiece {
  let number: Int
  let fault: PieceFault
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

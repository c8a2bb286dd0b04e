internal import Farm
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
    var spans: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = spans.last, last.upperBound + 1 == number {
        spans[spans.count - 1] = last.lowerBound...number
      } else {
        spans.append(number...number)
      }
    }
    let words = spans.prefix(20).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
    let more = spans.count > 20 ? ", ..." : ""
    return (numbers.count == 1 ? "Piece " : "Pieces ") + words.joined(separator: ", ") + more
  }
}

extension MessageText {
  /// A command to paste that renders a piece of a work folder, or all.
  static func chunkCommand(_ folder: String, _ number: Int? = nil) -> MessageText {
    let isPlain = folder.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+=:,@".utf8.contains(byte)
    }
    let word = isPlain ? folder : "'" + folder.replacing("'", with: "'\\''") + "'"
    guard let number else { return "headroom chunk \(word) \(.allPieces)" }
    return "headroom chunk \(word) \(number)"
  }
}

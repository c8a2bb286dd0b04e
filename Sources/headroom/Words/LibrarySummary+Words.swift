internal import BatchTranscode
internal import ChunkedTranscode
internal import Files
internal import Foundation
internal import Sessions

extension LibraryPlan.Film {
  /// Returns a message about this film that includes its name.
  func saying(_ words: String) -> String {
    words.contains(input) || words.contains(output) ? words.harmlessLine : "\(name): \(words)".harmlessLine
  }
}

extension FilmResult.Skip {
  var words: String {
    switch self {
    case .exists: "skipped, because its output exists"
    case .isSDR: "skipped, because it is SDR (--include-sdr converts it)"
    case .hasNoVideo: "skipped, because it has no video"
    }
  }
}

extension LibrarySummary {
  private static let head = ["result", "frames", "time", "size", "warnings", "file"]

  /// The result of each film, line by line; skipped films have none.
  var table: [String] {
    let rows = entries.compactMap(\.row)
    guard !rows.isEmpty else { return [] }
    let all = [Self.head] + rows
    let widths = Self.head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { Self.line($0, widths) }
  }

  /// Formats a row, with text left-aligned and numbers right-aligned.
  private static func line(_ row: [String], _ widths: [Int]) -> String {
    var cells: [String] = []
    for (column, text) in row.enumerated() {
      let space = String(repeating: " ", count: widths[column] - text.count)
      cells.append(column == 0 ? text + space : column == row.count - 1 ? text : space + text)
    }
    return cells.joined(separator: "  ")
  }

  /// The summary in one line: "40 films: 31 converted, 2 SDR, 7 failed; 12.3 s".
  var words: String {
    let parts = [
      (converted, "converted"), (skipped(.exists), "there already"), (skipped(.isSDR), "SDR"),
      (skipped(.hasNoVideo), "without video"), (failed, "failed"), (stopped, "stopped"), (open, "not begun"),
    ].filter { $0.0 > 0 }.map { "\($0) \($1)" }
    let all = (entries.count + existing.count).counting("film", "films")
    return "\(all): " + parts.joined(separator: ", ") + String(format: "; %.1f s", seconds)
  }
}

extension LibrarySummary.Entry {
  /// The table cells; nil for skipped films.
  fileprivate var row: [String]? {
    var figures = ["", "", "", ""]
    if let progress = result?.progress {
      figures[0] = String(progress.frames)
      figures[1] = String(format: "%.1f s", progress.seconds)
      figures[2] = progress.bytes.map(Session.Progress.size) ?? ""
    }
    if let warnings = result?.warnings, warnings > 0 { figures[3] = String(warnings) }
    switch result?.ending {
    case .converted: return ["converted"] + figures + [film.output.harmlessLine]
    case .stopped(let partial): return ["stopped"] + figures + [(partial ?? film.input).harmlessLine]
    case .failed: return ["FAILED"] + figures + [film.input.harmlessLine]
    case nil: return ["not begun"] + figures + [film.input.harmlessLine]
    case .skipped, .isWrittenElsewhere: return nil
    }
  }
}

extension FilmResult {
  /// Returns the film's outcome as JSON.
  func json(of film: String) -> String {
    var (word, reason): (String, String?) = ("converted", nil)
    switch ending {
    case .converted: break
    case .skipped(let skip): (word, reason) = ("skipped", skip.words)
    case .stopped: word = "stopped"
    case .failed(let words, _): (word, reason) = ("failed", words)
    case .isWrittenElsewhere: word = "waiting"
    }
    return (try? JSON.line([("file", film), ("result", word), ("reason", reason)])) ?? "{}"
  }
}

internal import Foundation

extension FarmStatus {
  /// Maximum number of running pieces, failed pieces and events to list.
  private static let mostListed = 20

  /// Returns the status as lines for a terminal.
  /// - Parameter width: Columns of the terminal, at least 20.
  public func lines(width: Int = 80) -> [String] {
    let cells = bar(width: min(max(width, 20), 1000) - 2)
    var lines = [StatusWords.plain("\(film.name) → \(film.output)"), "[\(cells)]"]
    lines += [countsLine, framesLine]
    lines += runningLines + queueLines + failedLines + eventLines
    return lines
  }

  /// Returns one character per piece or group of pieces.
  private func bar(width: Int) -> String {
    String(groups(atMost: width).map(\.character))
  }

  var countsLine: String {
    var parts = ["\(counts.done) of \(pieces.count) pieces done (#)"]
    if counts.running > 0 { parts.append("\(counts.running) running (>)") }
    if counts.waiting > 0 { parts.append("\(counts.waiting) waiting (.)") }
    if counts.lost > 0 { parts.append("\(counts.lost) lost (?)") }
    if counts.failed > 0 { parts.append("\(counts.failed) failed (!)") }
    return parts.joined(separator: ", ")
  }

  var framesLine: String {
    let share = frames > 0 ? Double(framesDone) / Double(frames) : isComplete ? 1 : 0
    // Below 100 until the last frame is done.
    let percent = framesDone < frames ? min((share * 1000).rounded(.down) / 10, 99.9) : share * 100
    let line = "\(framesDone) of \(frames) frames (\(String(format: "%.1f", percent)) %)"
    if isComplete { return line + ", all rendered" }
    return line + (secondsLeft.map { ", \(StatusWords.duration($0)) left" } ?? ", time left unknown")
  }

  private var runningLines: [String] {
    let lines = pieces.compactMap { piece -> String? in
      guard case .running(let claim) = piece.state else { return nil }
      let host = StatusWords.plain(claim.machine?.host ?? "an unknown machine")
      let rate = claim.framesPerSecond > 0 ? ", \(StatusWords.rate(claim.framesPerSecond)) fps" : ""
      let age = claim.age.map { ", heard of \(StatusWords.duration($0)) ago" } ?? ""
      let number = piece.tries > 1 ? ", try \(piece.tries)" : ""
      return "  \(piece.number) on \(host): \(piece.framesDone) of \(piece.frames) frames\(rate)\(age)\(number)"
    }
    return Self.section("Running:", lines)
  }

  /// The queue's reports on pieces that are not being rendered yet.
  private var queueLines: [String] {
    var counts: [String: Int] = [:]
    for piece in pieces {
      switch piece.state {
      case .waiting, .lost: if let words = piece.queue.flatMap(StatusWords.queue) { counts[words, default: 0] += 1 }
      case .running, .done, .failed: break
      }
    }
    let lines = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { words, count in
      "  \(count) \(count == 1 ? "job" : "jobs"): \(StatusWords.plain(words))"
    }
    return Self.section("In the queue:", lines)
  }

  private var failedLines: [String] {
    let lines = pieces.flatMap { piece -> [String] in
      guard case .failed(let tries) = piece.state else { return [] }
      let words = piece.words.map { ": \(StatusWords.plain($0))" } ?? ""
      return [
        "  \(piece.number) after \(tries.count) \(tries.count == 1 ? "try" : "tries")\(words)",
        "    to render it again: \(StatusWords.command(folder, piece.number))",
      ]
    }
    return Self.section("Failed:", lines, most: Self.mostListed * 2)
  }

  private var eventLines: [String] {
    let lines = events.suffix(Self.mostListed).map { event in
      "  " + (event.time.map { StatusWords.time($0) + "  " } ?? "") + StatusWords.plain(event.text)
    }
    let left = events.count - lines.count
    return lines.isEmpty ? [] : ["Events:"] + (left > 0 ? ["  \(left) earlier ones"] : []) + lines
  }

  private static func section(_ title: String, _ lines: [String], most: Int = mostListed) -> [String] {
    if lines.isEmpty { return [] }
    return [title] + lines.prefix(most) + (lines.count > most ? ["  and \((lines.count - most)) more lines"] : [])
  }
}

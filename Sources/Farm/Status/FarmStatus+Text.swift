internal import Files
internal import Foundation

extension FarmStatus {
  /// Maximum number of running pieces, failed pieces and events to list.
  private static let maximumListed = 20

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
    return Self.section("Failed:", lines, maximum: Self.maximumListed * 2)
  }

  private var eventLines: [String] {
    let lines = events.suffix(Self.maximumListed).map { event in
      "  " + (event.time.map { StatusWords.time($0) + "  " } ?? "") + StatusWords.plain(event.text)
    }
    let left = events.count - lines.count
    return lines.isEmpty ? [] : ["Events:"] + (left > 0 ? ["  \(left) earlier ones"] : []) + lines
  }

  private static func section(_ title: String, _ lines: [String], maximum: Int = maximumListed) -> [String] {
    if lines.isEmpty { return [] }
    return [title] + lines.prefix(maximum)
      + (lines.count > maximum ? ["  and \((lines.count - maximum)) more lines"] : [])
  }
}

/// Formats numbers and names for display.
enum StatusWords {
  /// Maximum characters of a name or sentence to display.
  private static let maximumCharacters = 400

  /// Formats a duration: "45 s", "3 min 20 s", "1 h 05 min".
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "?" }
    let whole = Int(max(seconds, 0).rounded())
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min \(padded(whole % 60)) s"
    default: return "\(whole / 3600) h \(padded(whole / 60 % 60)) min"
    }
  }

  /// Formats a position in a film: "1:02:03".
  static func position(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9))
    return "\(whole / 3600):\(padded(whole / 60 % 60)):\(padded(whole % 60))"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Formats a rate: "7.25", "123".
  static func rate(_ framesPerSecond: Double) -> String {
    String(format: framesPerSecond < 10 ? "%.2f" : framesPerSecond < 100 ? "%.1f" : "%.0f", framesPerSecond)
  }

  /// Formats a size: "12 MB".
  static func size(_ bytes: Int) -> String {
    bytes < 1_000_000
      ? "\(bytes / 1000) kB" : String(format: bytes < 10_000_000 ? "%.1f MB" : "%.0f MB", Double(bytes) / 1e6)
  }

  /// Formats a time in UTC: "2025-01-31 10:20:30".
  static func time(_ time: ServerTime) -> String {
    let text = Date(timeIntervalSince1970: Double(time.seconds)).formatted(.iso8601)
    return text.replacingOccurrences(of: "T", with: " ").replacingOccurrences(of: "Z", with: "")
  }

  /// Returns untrusted text on one line, without characters that could control a terminal or mislead a reader.
  static func plain(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.printable.unicodeScalars.prefix(maximumCharacters) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      case .format, .surrogate, .privateUse, .unassigned: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result) + (text.unicodeScalars.count > maximumCharacters ? "…" : "")
  }

  /// Returns the queue's report as a sentence ending; nil if it contains nothing useful.
  static func queue(_ entry: QueueEntry) -> String? {
    let node = entry.node.map { " on \($0)" } ?? ""
    if let reason = entry.reason { return reason }
    return switch entry.state {
    case "COMPLETED": nil
    case "RUNNING": "has been started\(node)"
    case "PENDING": "waits"
    default: "is \(entry.state.lowercased())\(node)"
    }
  }

  /// Returns the command that renders a chunk, for pasting into a shell.
  static func command(_ folder: WorkFolder, _ number: Int) -> String {
    "headroom chunk \(ShellWords.word(folder.path.printable)) \(number)"
  }
}

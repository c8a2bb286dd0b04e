internal import Files
internal import Foundation

/// Formats numbers and names for display.
enum StatusWords {
  /// Maximum characters of a name or sentence to display.
  private static let most = 400

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
    for scalar in text.printable.unicodeScalars.prefix(most) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      case .format, .surrogate, .privateUse, .unassigned: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result) + (text.unicodeScalars.count > most ? "…" : "")
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
    "headroom chunk \(quoted(folder.path)) \(number)"
  }

  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || "/._-+:,@".utf8.contains(byte)
    }
    if isPlain, !path.isEmpty { return path }
    return "'" + path.printable.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}

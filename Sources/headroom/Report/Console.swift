internal import FFmpegIO
internal import Files
internal import Foundation

/// Results on standard output, everything else on standard error.
enum Console {
  private static let usesColor =
    isatty(STDERR_FILENO) != 0 && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty

  /// Standard error is a terminal.
  static let isInteractive = isatty(STDERR_FILENO) != 0

  /// - Throws: `CommandFailure` when standard output does not take it.
  static func result(_ text: String, ends end: String = "\n") throws {
    do {
      try OutputFile(wholeFileAt: "-", replaces: true).fill([(text + end).systemBytes])
    } catch FFmpegError.failed(_, _, let code, let message) {
      let failure = CommandFailure(FFmpegError.failed(.write, path: "-", code: code, message: message))
      throw CommandFailure("Cannot write to standard output: \(message).", failure.code)
    }
  }

  static func plain(_ text: String) { write(text + "\n") }

  static func note(_ text: String) { plain("headroom: " + text) }

  static func warning(_ text: String) { plain("headroom: " + paint("warning: ", 33) + text) }

  static func error(_ text: String) { plain("headroom: " + paint("error: ", 31) + text) }

  /// Replaces the last line of a terminal.
  static func progress(_ text: String) { write("\r\u{1B}[K" + text) }

  private static func paint(_ text: String, _ color: Int) -> String {
    usesColor ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
  }

  private static func write(_ text: String) {
    // Nobody listening is no reason to stop.
    try? FileHandle.standardError.write(contentsOf: Data(text.systemBytes))
  }
}

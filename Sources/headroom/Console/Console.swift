internal import FFmpegIO
internal import Files
internal import Foundation
internal import Media
internal import Synchronization

/// Results on standard output, everything else on standard error.
enum Console {
  /// The collected output of a command line that runs inside another program; nil: output goes to the standard streams.
  private static let kept = Mutex<(output: [UInt8], messages: [UInt8])?>(nil)

  /// Collects the text that `body` prints, except frames written to `-`.
  static func keeping(_ body: () -> Void) -> (output: [UInt8], messages: [UInt8]) {
    kept.withLock { $0 = ([], []) }
    body()
    return kept.withLock { $0.take()! }
  }

  private static let mayUseColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty

  /// Standard error is a terminal.
  static var isInteractive: Bool { isatty(STDERR_FILENO) != 0 && kept.withLock { $0 == nil } }

  /// Prints text or JSON.
  /// - Throws: `CommandFailure` if standard output cannot be written.
  static func result(_ text: String, ends end: String = "\n") throws { try write((text.harmless + end).systemBytes) }

  /// - Throws: `CommandFailure` if standard output cannot be written.
  static func result(_ lines: [String]) throws { try result(lines.map(\.harmlessLine).joined(separator: "\n")) }

  /// Prints JSON; names that are not Unicode keep a reversible form.
  /// - Throws: `CommandFailure` if standard output cannot be written.
  static func result(_ json: Data) throws {
    try write(Array(String(decoding: json, as: UTF8.self).harmlessJSON.utf8) + (json.last == 10 ? [] : [10]))
  }

  /// Removes the last lines on a terminal.
  /// - Throws: `CommandFailure` if standard output cannot be written.
  static func removeLines(_ count: Int) throws { try write(Array("\u{1B}[\(count)A\u{1B}[J".utf8)) }

  private static func write(_ bytes: [UInt8]) throws {
    if kept.withLock({ $0?.output += bytes }) != nil { return }
    do {
      try OutputFile("-", replaces: true).fill([bytes])
    } catch {
      guard case .failed(_, _, _, let message) = error else { throw CommandFailure(error) }
      let failure = CommandFailure(error)
      throw CommandFailure("Cannot write to standard output: \(message).", failure.code)
    }
  }

  static func plain(_ text: String) { write(text.harmless + "\n") }

  static func note(_ text: String) { plain("headroom: " + text) }

  static func warning(_ text: String) { write("headroom: " + paint("warning: ", 33) + text.harmless + "\n") }

  static func error(_ text: String) { write("headroom: " + paint("error: ", 31) + text.harmless + "\n") }

  /// Replaces the last line on a terminal.
  static func progress(_ text: String) { write("\r\u{1B}[K" + text) }

  private static func paint(_ text: String, _ color: Int) -> String {
    mayUseColor && isInteractive ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
  }

  private static func write(_ text: String) {
    if kept.withLock({ $0?.messages += text.systemBytes }) != nil { return }
    // A closed standard error does not stop the program.
    try? FileHandle.standardError.write(contentsOf: Data(text.systemBytes))
  }
}

internal import Foundation

/// Everything that is no result: standard error.
enum Console {
  static func note(_ text: String) { plain("bench: " + text) }

  static func plain(_ text: String) {
    // Nobody listening is no reason to stop.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }
}

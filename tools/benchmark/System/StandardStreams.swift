internal import Foundation

/// The result on standard output, everything else on standard error.
enum StandardStreams {
  static func result(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      throw BenchmarkFailure("Standard output does not take the result: \(error.localizedDescription)")
    }
  }

  static func note(_ text: String) { plain("bench: " + text) }

  static func plain(_ text: String) {
    // A closed standard error does not stop the program.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }
}

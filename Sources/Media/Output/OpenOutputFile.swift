internal import Foundation

/// A file that is written piece by piece and appears when it is complete. Not thread-safe.
package final class OpenOutputFile: @unchecked Sendable {
  // @unchecked: the caller writes from one thread at a time.
  package let file: OutputFile
  /// nil after closing.
  private var descriptor: Int32?

  /// - Throws: `OutputError.failed` if it cannot be created.
  package init(_ file: OutputFile) throws(OutputError) {
    self.file = file
    descriptor = try file.open()
  }

  /// - Throws: `OutputError.missingFolder` if the folder of the file does not exist, `failed` if it cannot be created.
  package convenience init(_ name: String, replaces: Bool) throws(OutputError) {
    try self.init(OutputFile(name, replaces: replaces))
  }

  deinit { discard() }

  /// - Throws: `OutputError.failed`.
  package func write(_ bytes: [UInt8]) throws(OutputError) {
    guard let descriptor else { throw .closed(path: file.name) }
    try file.write(bytes, to: descriptor)
  }

  /// Writes a line of text.
  /// - Throws: `OutputError.failed`.
  package func write(line: String) throws(OutputError) { try write(Array((line + "\n").utf8)) }

  /// Closes the file and moves it to its name.
  /// - Throws: `OutputError.failed`; nothing is left behind.
  package func commit() throws(OutputError) {
    guard let descriptor else { throw .closed(path: file.name) }
    self.descriptor = nil
    try file.close(descriptor)
    try file.commit()
  }

  /// Closes the file and removes it; does nothing after `commit()`.
  package func discard() {
    guard let descriptor else { return }
    self.descriptor = nil
    Foundation.close(descriptor)
    file.discard()
  }
}

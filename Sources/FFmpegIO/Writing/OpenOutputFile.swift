internal import Foundation

/// A file that is written piece by piece and appears when it is whole; one thread at a time.
package final class OpenOutputFile: @unchecked Sendable {
  // @unchecked: the caller lets one thread at a time write.
  package let file: OutputFile
  /// nil once it is closed.
  private var descriptor: Int32?

  /// - Throws: `FFmpegError.failed` where it cannot be made.
  package init(_ file: OutputFile) throws(FFmpegError) {
    self.file = file
    descriptor = try file.open()
  }

  /// - Throws: `FFmpegError.missingFolder` when the folder of the file does not exist, `failed` where it cannot be made.
  package convenience init(_ name: String, replaces: Bool) throws(FFmpegError) {
    try self.init(OutputFile(wholeFileAt: name, replaces: replaces))
  }

  deinit { discard() }

  /// - Throws: `FFmpegError.failed`.
  package func write(_ bytes: [UInt8]) throws(FFmpegError) {
    guard let descriptor else { throw .closed(path: file.target.name) }
    try file.write(bytes, to: descriptor)
  }

  /// Writes a line of text.
  /// - Throws: `FFmpegError.failed`.
  package func write(line: String) throws(FFmpegError) { try write(Array((line + "\n").utf8)) }

  /// Closes the file and gives it its name.
  /// - Throws: `FFmpegError.failed`; nothing is left behind then.
  package func commit() throws(FFmpegError) {
    guard let descriptor else { throw .closed(path: file.target.name) }
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

internal import Foundation

/// A file that is written line by line, and gets its name when it is complete. Standard output gets each line at once.
///
/// A file that is not finished is removed with this object.
package final class LineFile {
  private let file: OutputFile
  private var descriptor: Int32?

  /// - Parameter name: "-" is standard output.
  /// - Throws: `FFmpegError` where such a file cannot be made.
  package init(_ name: String) throws(FFmpegError) {
    file = try OutputFile(wholeFileAt: name)
    descriptor = try file.open()
  }

  deinit { discard() }

  package func write(_ line: String) throws(FFmpegError) {
    guard let descriptor else { return }
    try file.write(Array((line + "\n").utf8), to: descriptor)
  }

  /// Gives the file its name.
  package func finish() throws(FFmpegError) {
    guard let descriptor else { return }
    self.descriptor = nil
    try file.close(descriptor)
    try file.commit()
  }

  /// Removes what was written, unless it is finished.
  package func discard() {
    guard let descriptor else { return }
    self.descriptor = nil
    Foundation.close(descriptor)
    file.discard()
  }

  /// Removes the file under its temporary name; from any thread, where the process is about to end.
  package var removal: @Sendable () -> Void { { [file] in file.discard() } }
}

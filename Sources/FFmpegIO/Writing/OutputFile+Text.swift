internal import Foundation

extension OutputFile {
  /// A file of text, which appears when it is written.
  /// - Throws: `FFmpegError.missingFolder` when the folder of the file does not exist.
  package init(textAt name: String) throws(FFmpegError) {
    try self.init(Location(name, standardStream: "pipe:1"), opensFile: true)
  }

  /// Writes the whole text and gives the file its name.
  /// - Throws: `FFmpegError.failed`; nothing is left behind then.
  package func write(_ text: String) throws(FFmpegError) {
    guard let path = temporaryPath ?? path else {
      throw .failed(.create, path: target.name, code: 0, message: "text goes into a file")
    }
    do {
      // A pipe or device is there and is not made.
      if temporaryPath != nil { try Data().write(to: URL(fileURLWithPath: path)) }
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    } catch {
      discard()
      throw .failed(.write, path: target.name, code: 0, message: error.localizedDescription)
    }
    try commit()
  }
}

internal import Foundation

extension OutputFile {
  /// A file that is written whole, and appears when it is.
  /// - Throws: `FFmpegError.missingFolder` when the folder of the file does not exist.
  package init(wholeFileAt name: String) throws(FFmpegError) {
    try self.init(Location(name, standardStream: "pipe:1"), opensFile: true)
  }

  /// Writes the whole text and gives the file its name.
  /// - Throws: `FFmpegError.failed`; nothing is left behind then.
  package func write(_ text: String) throws(FFmpegError) {
    try fill(Array(text.utf8))
    try commit()
  }

  /// Writes all bytes under the temporary name.
  /// - Throws: `FFmpegError.failed`; nothing is left behind then.
  package func fill(_ bytes: [UInt8]) throws(FFmpegError) {
    let descriptor = try open()
    defer { close(descriptor) }
    do {
      try Self.write(bytes, to: descriptor, name: target.name)
    } catch {
      discard()
      throw error
    }
  }

  /// Opens the file under its temporary name, empty; a pipe or device as it is.
  /// - Returns: A file descriptor that the caller closes.
  package func open() throws(FFmpegError) -> Int32 {
    if target.isStandardStream { return dup(STDOUT_FILENO) }
    guard let path = temporaryPath ?? path else {
      throw .failed(.create, path: target.name, code: 0, message: "only files can be written")
    }
    let flags = temporaryPath == nil ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC
    let descriptor = unsafe Foundation.open(path, flags | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw Self.failure(.create, target.name) }
    return descriptor
  }

  /// Writes all bytes; pieces as the system takes them.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(FFmpegError) {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Foundation.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw failure(.write, name) }
      offset += count
    }
  }

  private static func failure(_ operation: FFmpegError.Operation, _ name: String) -> FFmpegError {
    let code = errno
    return .failed(operation, path: name, code: code, message: unsafe String(cString: strerror(code)))
  }
}

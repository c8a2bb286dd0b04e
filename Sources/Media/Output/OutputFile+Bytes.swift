internal import Files
internal import Foundation

extension OutputFile {
  /// Writes the whole text and commits the file.
  /// - Throws: `OutputError.failed`; nothing is left behind.
  package func write(_ text: String) throws(OutputError) {
    try fill([Array(text.utf8)])
    try commit()
  }

  /// Writes all pieces under the temporary name.
  /// - Throws: `OutputError.failed`; nothing is left behind.
  package func fill(_ pieces: [[UInt8]]) throws(OutputError) {
    let descriptor = try open()
    do {
      for piece in pieces { try write(piece, to: descriptor) }
    } catch {
      Foundation.close(descriptor)
      discard()
      throw error
    }
    try close(descriptor)
  }

  /// Opens an empty file under its temporary name; a pipe or device is opened directly.
  /// - Returns: A file descriptor that the caller closes.
  func open() throws(OutputError) -> Int32 {
    if name == "-" { return dup(STDOUT_FILENO) }
    try begin()
    guard let path = temporaryPath ?? path else {
      throw .failed(.create, path: name, code: 0, message: "only files can be written")
    }
    let flags = temporaryPath == nil ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC
    let descriptor = unsafe Foundation.open(path.systemName, flags | O_CLOEXEC, 0o666)
    if descriptor < 0 {
      let error = failure(.create)
      discard()
      throw error
    }
    return descriptor
  }

  /// Closes the file: some systems report a full disk only now.
  /// - Throws: `OutputError.failed`; nothing is left behind.
  func close(_ descriptor: Int32) throws(OutputError) {
    guard Foundation.close(descriptor) != 0, errno != EINTR else { return }
    let error = failure(.write)
    discard()
    throw error
  }

  /// Writes all bytes, in as many pieces as the system needs.
  func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Foundation.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
      }
      if count >= 0 {
        offset += count
      } else if errno == EAGAIN {
        // Another process made the pipe non-blocking.
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&wanted, 1, -1)
      } else if errno != EINTR {
        throw failure(.write)
      }
    }
  }

  private func failure(_ operation: OutputError.Operation) -> OutputError {
    let code = errno
    return .failed(operation, path: name, code: code, message: unsafe String(cString: strerror(code)))
  }
}

internal import Files
internal import Glibc

/// The files of a submission, in the subfolder "slurm" of a work folder.
package struct SlurmFiles: Sendable {
  /// The work folder.
  let folder: String

  package init(folder: String) { self.folder = folder }

  package func path(_ name: String) -> String { FileLocation.path(FileLocation.path(folder, "slurm"), name) }

  /// Creates the folders of scripts and logs, unless they exist.
  package func create() throws(SlurmError) {
    for path in [FileLocation.path(folder, "slurm"), path("log")] where unsafe mkdir(path.systemName, 0o777) != 0 {
      let code = errno
      guard code == EEXIST else { throw .cannotWrite(path: path, code: code) }
    }
  }

  /// Atomically writes a file, replacing an existing one.
  package func write(_ bytes: [UInt8], to name: String, isProgram: Bool = false) throws(SlurmError) {
    do { try DurableFile.replace(path(name), bytes, permissions: isProgram ? 0o777 : 0o666) } catch {
      throw .cannotWrite(path: path(name), code: error.code)
    }
  }

  /// Appends a line to a file in a single call.
  package func append(_ line: [UInt8], to name: String) throws(SlurmError) {
    let path = path(name)
    let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666 as mode_t)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, code: errno) }
    let newline = UInt8(ascii: "\n")
    // A process killed while writing may have left an incomplete line.
    var last = newline
    let end = lseek(descriptor, 0, SEEK_END)
    if end > 0 { _ = unsafe pread(descriptor, &last, 1, end - 1) }
    var code = Self.write((last == newline ? [] : [newline]) + line + [newline], to: descriptor)
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code == 0 else { throw .cannotWrite(path: path, code: code) }
  }

  /// - Returns: An `errno` value, or 0.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? EIO : errno }
      written += count
    }
    do { try DurableFile.sync(descriptor) } catch { return error.code }
    return 0
  }

  /// - Returns: nil if the file does not exist.
  func read(_ name: String, upTo largest: Int) throws(SlurmError) -> [UInt8]? {
    do { return try SmallFile.bytes(of: path(name), upTo: largest) } catch {
      if error == .system(ENOENT) { return nil }
      throw .cannotRead(path: path(name), reason: "\(error)")
    }
  }
}

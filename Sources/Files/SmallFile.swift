internal import Glibc

/// A file that is read as a whole because it is short, such as a description or an attribute of the kernel.
public enum SmallFile {
  /// Why a file is not read.
  public enum Failure: Error, Sendable, Hashable {
    /// It is a folder.
    case isFolder
    /// It is a pipe, a device or a socket, which could block for ever.
    case isNoFile
    /// It is longer than it may be.
    case isTooLarge
    /// The system says why: a value of `errno`.
    case system(Int32)
  }

  /// Reads a regular file, and never waits for one that is not.
  /// - Parameter largest: The number of bytes that it may have.
  public static func bytes(of path: String, upTo largest: Int) throws(Failure) -> [UInt8] {
    // A pipe that nobody writes to would block before it could be told from a file.
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    switch FileStatus(descriptor: descriptor)?.kind {
    case .regular: break
    case .folder: throw .isFolder
    default: throw .isNoFile
    }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(largest + 1, 16_384))
    while bytes.count <= largest {
      let read = unsafe block.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress!, $0.count) }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw .system(errno) }
      if read == 0 { return bytes }
      bytes += block[..<read]
    }
    throw .isTooLarge
  }
}

extension SmallFile.Failure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .isFolder: "it is a folder"
    case .isNoFile: "it is not a regular file"
    case .isTooLarge: "it is too large"
    case .system(let code): unsafe String(cString: strerror(code))
    }
  }
}

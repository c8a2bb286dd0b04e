internal import Glibc

/// A short file that is read at once, such as a description or a kernel attribute.
public enum SmallFile {
  /// Why a file was not read.
  public enum Failure: Error, Sendable, Hashable {
    /// It is a folder.
    case isFolder
    /// It is a pipe, a device or a socket, which could block forever.
    case isNoFile
    /// It exceeds the maximum size.
    case isTooLarge
    /// A system error: a value of `errno`.
    case system(Int32)
  }

  /// Reads a regular file; never blocks on anything else.
  /// - Parameter largest: Maximum number of bytes.
  public static func bytes(of path: String, upTo largest: Int) throws(Failure) -> [UInt8] {
    // A pipe without a writer would block before its type is known.
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

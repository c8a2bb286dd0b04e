internal import Glibc

/// The system's status of a file.
public struct FileStatus: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case regular, folder, link, other
  }

  public let kind: Kind
  public let byteCount: Int
  /// Modification time in nanoseconds since 1970, by the clock of the file system.
  public let modified: Int64
  /// Identifies a file uniquely.
  public let identity: Identity

  public struct Identity: Sendable, Hashable {
    let device: UInt
    let number: UInt
  }

  /// - Parameter followsLinks: Whether to inspect the target of a link rather than the link.
  /// - Returns: nil if it does not exist or cannot be inspected.
  public init?(_ name: String, followsLinks: Bool = true) {
    var status = stat()
    let bytes = name.systemName
    guard unsafe (followsLinks ? stat(bytes, &status) : lstat(bytes, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// The status of an open file.
  public init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    byteCount = Int(status.st_size)
    // Nanoseconds overflow after the year 2262.
    let (seconds, isTooLarge) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    modified = isTooLarge ? Int64(status.st_mtim.tv_sec) : seconds &+ Int64(status.st_mtim.tv_nsec)
    identity = Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
  }
}

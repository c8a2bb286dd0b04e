internal import Glibc

/// What the system says of a file.
public struct FileStatus: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case regular, folder, link, other
  }

  public let kind: Kind
  public let byteCount: Int
  /// What tells a file from all others.
  public let identity: Identity

  public struct Identity: Sendable, Hashable {
    let device: UInt
    let number: UInt
  }

  /// - Parameter followsLinks: The file that a link names, else the link itself.
  /// - Returns: nil where there is none, or it cannot be looked at.
  public init?(_ name: String, followsLinks: Bool = true) {
    var status = stat()
    let bytes = name.systemName
    guard unsafe (followsLinks ? stat(bytes, &status) : lstat(bytes, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// Of an open file.
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
    identity = Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
  }
}

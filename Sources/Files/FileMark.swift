internal import CFiles
internal import Glibc

/// A mark on a file that it was made by this program and is not whole, kept in an extended attribute. Not every file system has them.
public enum FileMark {
  private static let name = "user.headroom.partial".systemName

  /// Marks an open file.
  /// - Returns: false if the file system has no extended attributes.
  @discardableResult
  public static func set(on descriptor: Int32) -> Bool { unsafe fsetxattr(descriptor, name, "1", 1, 0) == 0 }

  /// Whether a file has the mark; a link has none.
  public static func isOn(_ path: String) -> Bool { unsafe lgetxattr(path.systemName, name, nil, 0) > 0 }
}

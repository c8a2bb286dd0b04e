internal import CFiles
internal import Glibc

/// Marks incomplete files of this program with an extended attribute, which not every file system supports.
public enum FileMark {
  private static let name = "user.headroom.partial".systemName

  /// Marks an open file.
  /// - Returns: false if the file system has no extended attributes.
  @discardableResult
  public static func set(on descriptor: Int32) -> Bool { unsafe fsetxattr(descriptor, name, "1", 1, 0) == 0 }

  /// Whether a file has the mark; false for symbolic links.
  public static func isOn(_ path: String) -> Bool { unsafe lgetxattr(path.systemName, name, nil, 0) > 0 }
}

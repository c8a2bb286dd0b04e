internal import CFiles
internal import Glibc

/// Renames a file within its folder.
public enum FileRenaming {
  /// - Parameter replaces: An existing file of the new name is replaced; otherwise it stays, and the code is `EEXIST`.
  /// - Returns: The system's error code; 0 on success.
  public static func rename(_ old: String, to new: String, replaces: Bool) -> Int32 {
    let (from, to) = (old.systemName, new.systemName)
    if replaces { return unsafe Glibc.rename(from, to) == 0 ? 0 : errno }
    if unsafe hr_rename_to_free_name(from, to) == 0 { return 0 }
    guard [ENOSYS, EINVAL, ENOTSUP].contains(errno) else { return errno }
    return renameByLink(from, to)
  }

  /// For file systems without an atomic rename: a hard link under the new name, which only one process can create, then
  /// the old name is removed.
  package static func renameByLink(_ from: [CChar], _ to: [CChar]) -> Int32 {
    if unsafe link(from, to) == 0 { return unsafe unlink(from) == 0 ? 0 : errno }
    guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { return errno }
    return renameByClaim(from, to)
  }

  /// For file systems without links: replaces an empty file under the new name, which only one process can create.
  package static func renameByClaim(_ from: [CChar], _ to: [CChar]) -> Int32 {
    let claim = unsafe open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if claim < 0 { return errno }
    close(claim)
    if unsafe Glibc.rename(from, to) == 0 { return 0 }
    let code = errno
    unsafe unlink(to)
    return code
  }
}

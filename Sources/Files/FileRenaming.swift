internal import CFiles
internal import Glibc

/// Gives a file another name in its folder.
public enum FileRenaming {
  /// - Parameter replaces: A file of the new name is replaced; else it stays, and the code is `EEXIST`.
  /// - Returns: The system's code; 0 where it is done.
  public static func rename(_ old: String, to new: String, replaces: Bool) -> Int32 {
    let (from, to) = (old.systemName, new.systemName)
    if replaces { return unsafe Glibc.rename(from, to) == 0 ? 0 : errno }
    if unsafe hr_rename_to_free_name(from, to) == 0 { return 0 }
    guard [ENOSYS, EINVAL, ENOTSUP].contains(errno) else { return errno }
    return renameByLink(from, to)
  }

  /// For file systems that cannot do it in one step: a second name, which only one can get, and the first one removed.
  package static func renameByLink(_ from: [CChar], _ to: [CChar]) -> Int32 {
    if unsafe link(from, to) == 0 { return unsafe unlink(from) == 0 ? 0 : errno }
    guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { return errno }
    return renameByClaim(from, to)
  }

  /// For file systems without links: an empty file under the name, which only one can make, is replaced.
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

internal import Files
internal import Foundation

/// Files that are on the disk before they are taken for written.
enum DurableFile {
  /// Distinguishes temporary files and claims of all machines.
  static func token() -> String { String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16) }

  /// Creates a file that must not exist, with these bytes.
  /// - Returns: Its descriptor.
  static func create(_ path: String, _ bytes: [UInt8]) throws(FarmError) -> Int32 {
    let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed(.create, path: path, code: errno) }
    let code = overwrite(descriptor, bytes)
    guard code == 0 else {
      close(descriptor)
      unsafe unlink(path.systemName)
      throw .failed(.write, path: path, code: code)
    }
    return descriptor
  }

  /// Writes bytes over the beginning of an open file.
  /// - Returns: The system's error code; 0 on success.
  static func overwrite(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      done += count
    }
    return sync(descriptor)
  }

  /// - Returns: The system's error code; 0 on success, and where the file system cannot do it.
  static func sync(_ descriptor: Int32) -> Int32 {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      return [EINVAL, ENOTSUP].contains(errno) ? 0 : errno
    }
    return 0
  }

  /// Puts a file under a name that may exist, all of it or nothing.
  /// - Parameter folder: Of both names.
  static func replace(_ name: String, in folder: String, _ bytes: [UInt8]) throws(FarmError) {
    let temporary = FileLocation.path(folder, ".\(name).\(token()).tmp")
    let descriptor = try create(temporary, bytes)
    defer { close(descriptor) }
    do throws(FarmError) {
      try rename(temporary, of: descriptor, to: FileLocation.path(folder, name))
    } catch {
      unsafe unlink(temporary.systemName)
      throw error
    }
    try syncFolder(folder)
  }

  /// Renames an open file.
  static func rename(_ old: String, of descriptor: Int32, to new: String) throws(FarmError) {
    let code = FileRenaming.rename(old, to: new, replaces: true)
    // A network file system may say ENOENT although it is done: the answer to the first request was lost.
    if code == ENOENT, let own = FileFacts(descriptor), let other = FileFacts(path: new), own.isSameFile(as: other) {
      return
    }
    guard code == 0 else { throw .failed(.rename, path: new, code: code) }
  }

  /// Makes names in a folder last.
  static func syncFolder(_ folder: String) throws(FarmError) {
    let descriptor = unsafe open(folder.systemName, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(.read, path: folder, code: errno) }
    defer { close(descriptor) }
    let code = sync(descriptor)
    guard code == 0 || code == EBADF else { throw .failed(.write, path: folder, code: code) }
  }

  /// Gives a complete file another name that nobody may have yet.
  /// - Returns: Whether the name was free.
  static func claim(_ path: String, for temporary: String, _ descriptor: Int32) throws(FarmError) -> Bool {
    if unsafe link(temporary.systemName, path.systemName) == 0 { return true }
    let code = errno
    // What counts is not what a network file system answers, but how many names the file has.
    if let facts = FileFacts(descriptor), facts.links == 2 { return true }
    if code == EEXIST { return false }
    guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code) else { throw .failed(.link, path: path, code: code) }
    let second = FileRenaming.rename(temporary, to: path, replaces: false)
    if second == EEXIST { return false }
    guard second == 0 else { throw .failed(.link, path: path, code: second) }
    return true
  }
}

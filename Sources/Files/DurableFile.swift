internal import Glibc

/// Files that survive a power loss: bytes are on disk before the file is renamed, names when a call returns.
public enum DurableFile {
  /// A failed system call.
  public struct Failure: Error, Sendable, Hashable {
    /// A step of committing a file.
    public enum Step: String, Sendable, Hashable {
      /// Creating the file.
      case create
      /// Writing its bytes or its folder entry to disk.
      case write
      /// Renaming it.
      case rename
    }

    public let step: Step
    /// A value of `errno`; `EEXIST` where the name is taken.
    public let code: Int32

    package init(_ step: Step, _ code: Int32) { (self.step, self.code) = (step, code) }
  }

  /// Renames a complete file within its folder.
  /// - Parameters:
  ///   - descriptor: Descriptor of the file.
  ///   - replaces: An existing file of the new name is replaced.
  public static func commit(
    _ file: String, _ descriptor: Int32, as name: String, replaces: Bool
  ) throws(Failure) {
    try sync(descriptor)
    let folder = try openFolder(FileLocation(name).folder)
    defer { if let folder { close(folder) } }
    let code = FileRenaming.rename(file, to: name, replaces: replaces)
    // A network file system may report ENOENT after success, if the reply to the first request was lost.
    if code != 0, code != ENOENT || !isSame(descriptor, name) { throw Failure(.rename, code) }
    if let folder { try sync(folder: folder) }
  }

  private static func isSame(_ descriptor: Int32, _ name: String) -> Bool {
    guard let own = FileStatus(descriptor: descriptor) else { return false }
    return FileStatus(name, followsLinks: false)?.identity == own.identity
  }

  /// Writes bytes to a name that may exist, atomically.
  /// - Parameters:
  ///   - token: Part of the temporary name, ".NAME.TOKEN.tmp"; must be unique.
  ///   - permissions: Reduced by the umask of the process.
  public static func replace(
    _ path: String, _ bytes: [UInt8], token: String = token(), permissions: UInt32 = 0o666
  ) throws(Failure) {
    let place = FileLocation(path)
    let temporary = FileLocation.path(place.folder, ".\(place.name).\(token).tmp")
    let descriptor = try create(temporary, bytes, permissions: permissions)
    defer { close(descriptor) }
    do throws(Failure) {
      try commit(temporary, descriptor, as: path, replaces: true)
    } catch {
      unsafe unlink(temporary.systemName)
      throw error
    }
  }

  /// Distinguishes temporary files of all machines.
  public static func token() -> String { String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16) }

  /// Creates a file that must not exist, with these bytes.
  /// - Returns: Its descriptor.
  public static func create(_ path: String, _ bytes: [UInt8], permissions: UInt32 = 0o666) throws(Failure) -> Int32 {
    let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw Failure(.create, errno) }
    do throws(Failure) {
      try overwrite(descriptor, bytes)
    } catch {
      close(descriptor)
      unsafe unlink(path.systemName)
      throw error
    }
    return descriptor
  }

  /// Writes bytes over the beginning of an open file.
  public static func overwrite(_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(.write, count < 0 ? errno : EIO) }
      done += count
    }
    try sync(descriptor)
  }

  /// Waits until the bytes of an open file are on disk, where the file system supports it.
  public static func sync(_ descriptor: Int32) throws(Failure) {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      if ![EINVAL, ENOTSUP, ENOSYS].contains(errno) { throw Failure(.write, errno) }
      return
    }
  }

  /// Waits until the names in a folder are on disk.
  public static func syncFolder(_ path: String) throws(Failure) {
    guard let folder = try openFolder(path) else { return }
    defer { close(folder) }
    try sync(folder: folder)
  }

  /// - Returns: nil for a folder that is writable but not readable.
  private static func openFolder(_ path: String) throws(Failure) -> Int32? {
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0, errno == EACCES { return nil }
    guard descriptor >= 0 else { throw Failure(.write, errno) }
    return descriptor
  }

  private static func sync(folder: Int32) throws(Failure) {
    do throws(Failure) { try sync(folder) } catch { if error.code != EBADF { throw error } }
  }
}

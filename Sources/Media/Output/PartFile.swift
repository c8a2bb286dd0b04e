internal import Files
internal import Foundation
internal import Synchronization

/// The temporary file of an output, beside it until it is complete.
///
/// It is locked while its process lives, which distinguishes an abandoned file from one in use without guessing by age.
/// The kernel releases the lock however the process ends. Files that begin with its name belong to it.
final class PartFile: Sendable {
  /// Its name, and whether that is a visible one that marks the file as partial and stays.
  private let present: Mutex<(path: String, isVisible: Bool)>
  /// Holds the lock; nothing is written through it.
  private let descriptor: Int32

  /// Files of this process so far: distinguishes truncated names.
  private static let count = Atomic(0)
  private static let mark = ".headroom-"
  private static let suffix = ".part"
  /// Placeholders for outputs of this process that have not been started: they do not prevent starting them.
  private static let held = Mutex<Set<String>>([])
  /// Attempts to find a free name: processes of two machines that share a folder may have the same id.
  private static let maximumTries = 100

  /// - Parameters:
  ///   - place: The final file.
  ///   - isHolding: It is empty, and only signals to other processes that the output is being made.
  /// - Throws: `OutputError.failed` if no file can be created there.
  init(beside place: FileLocation, target: String, isHolding: Bool = false) throws(OutputError) {
    for _ in 0..<Self.maximumTries {
      let path = FileLocation.path(place.folder, Self.name(of: place.name))
      let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0, errno == EEXIST { continue }
      if descriptor < 0 {
        let code = errno
        throw .failed(.create, path: target, code: code, message: unsafe String(cString: strerror(code)))
      }
      guard let own = FileStatus(descriptor: descriptor) else {
        let error = OutputError.system(.create, target)
        close(descriptor)
        unsafe unlink(path.systemName)
        throw error
      }
      // File systems without locks also grant none to others, so existing files are left alone.
      _ = flock(descriptor, LOCK_EX)
      // Between the two calls another run may have removed it as abandoned.
      let named = FileStatus(path, followsLinks: false)
      if named?.identity == own.identity {
        present = Mutex((path, false))
        self.descriptor = descriptor
        if isHolding { _ = Self.held.withLock { $0.insert(path) } }
        return
      }
      close(descriptor)
      if named == nil { unsafe unlink(path.systemName) }
    }
    throw .failed(.create, path: target, code: EEXIST, message: "no name for a temporary file is free")
  }

  deinit {
    close(descriptor)
    _ = Self.held.withLock { $0.remove(path) }
  }

  var path: String { present.withLock { $0.path } }
  var isVisible: Bool { present.withLock { $0.isVisible } }

  /// Renames the complete file.
  func takeName(_ name: String, replaces: Bool) throws(DurableFile.Failure) {
    try DurableFile.commit(path, descriptor, as: name, replaces: replaces)
  }

  /// Gives the file a name that marks it as partial, unless it has one.
  /// - Parameter isDurable: Waits for the disk.
  func takeName(
    _ name: PartialName, isRepeatable: Bool, isDurable: Bool
  ) throws(DurableFile.Failure) -> String {
    if isDurable { try DurableFile.sync(descriptor) }
    let taken = try present.withLock { present throws(DurableFile.Failure) in
      if !present.isVisible {
        present = (try name.take(present.path, descriptor: descriptor, isRepeatable: isRepeatable), true)
      }
      return present.path
    }
    if isDurable { try DurableFile.syncFolder(FileLocation(taken).folder) }
    return taken
  }

  /// Marks the file as incomplete.
  func mark() { FileMark.set(on: descriptor) }

  func remove() { unsafe unlink(path.systemName) }

  /// Removes the files that begin with its name.
  func removeBelonging() { Self.removeBelonging(to: path) }

  private static func removeBelonging(to path: String) {
    let place = FileLocation(path)
    for name in FileLocation.names(in: place.folder) ?? [] where name.hasPrefix(place.name + ".") {
      unsafe unlink(FileLocation.path(place.folder, name).systemName)
    }
  }

  private static func name(of target: String) -> String {
    let number = count.add(1, ordering: .relaxed).newValue
    return ".\(stem(of: target))\(mark)\(ProcessInfo.processInfo.processIdentifier)-\(number)\(suffix)"
  }

  /// Bytes of a name reserved for the mark, two numbers, the suffix, and additions of files that belong to it.
  private static let reserved = 72

  /// The name of an output, truncated at a character boundary to fit.
  static func stem(of target: String) -> String {
    var stem = target
    while stem.systemBytes.count > Int(NAME_MAX) - reserved { stem.removeLast() }
    return stem
  }

  /// Removes the files of terminated runs.
  /// - Parameters:
  ///   - own: A file that is left alone and ignored.
  ///   - isTarget: Whether an output with this stem is about to be written.
  /// - Returns: Whether a running process is writing one of them.
  @discardableResult
  static func removeDead(in folder: String, but own: PartFile? = nil, _ isTarget: (String) -> Bool) -> Bool {
    var isAlive = false
    for name in FileLocation.names(in: folder) ?? [] where stem(in: name).map(isTarget) ?? false {
      let path = FileLocation.path(folder, name)
      if path == own?.path || held.withLock({ $0.contains(path) }) { continue }
      let descriptor = unsafe open(path.systemName, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        removeBelonging(to: path)
        unsafe unlink(path.systemName)
      } else if errno == EWOULDBLOCK {
        isAlive = true
      }
    }
    return isAlive
  }

  /// The stem of the output that a temporary file belongs to; nil for other files.
  private static func stem(in name: String) -> String? {
    guard name.hasPrefix("."), name.hasSuffix(suffix), let end = name.range(of: mark, options: .backwards) else {
      return nil
    }
    let number = name[end.upperBound...].dropLast(suffix.count)
    guard number.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "-" }) else { return nil }
    return String(name[..<end.lowerBound].dropFirst())
  }
}

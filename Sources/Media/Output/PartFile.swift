internal import Files
internal import Foundation
internal import Synchronization

/// The temporary file of an output, beside it until it is complete.
///
/// It is locked while its process lives, so that another run can tell an abandoned file from one in use without
/// guessing by age. The kernel releases the lock however the process ends.
final class PartFile: Sendable {
  let path: String
  /// Holds the lock; nothing is written through it.
  private let descriptor: Int32

  /// Files of this process so far: distinguishes truncated names.
  private static let count = Atomic(0)
  private static let mark = ".headroom-"
  private static let suffix = ".part"
  /// Attempts to find a free name: processes of two machines that share a folder may have the same id.
  private static let maximumTries = 100

  /// - Parameter place: The final file.
  /// - Throws: `OutputError.failed` if no file can be created there.
  init(beside place: FileLocation, target: String) throws(OutputError) {
    for _ in 0..<Self.maximumTries {
      let path = FileLocation.path(place.folder, Self.name(of: place.name))
      let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0, errno == EEXIST { continue }
      if descriptor < 0 {
        let code = errno
        throw .failed(.create, path: target, code: code, message: unsafe String(cString: strerror(code)))
      }
      // File systems without locks also grant none to others, so existing files are left alone.
      _ = flock(descriptor, LOCK_EX)
      // Between the two calls another run may have removed it as abandoned.
      if FileStatus(path, followsLinks: false)?.identity == FileStatus(descriptor: descriptor)?.identity {
        self.path = path
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    throw .failed(.create, path: target, code: EEXIST, message: "no name for a temporary file is free")
  }

  deinit { close(descriptor) }

  func remove() { unsafe unlink(path.systemName) }

  private static func name(of target: String) -> String {
    let number = count.add(1, ordering: .relaxed).newValue
    return ".\(stem(of: target))\(mark)\(ProcessInfo.processInfo.processIdentifier)-\(number)\(suffix)"
  }

  /// Bytes of a name reserved for the mark, two numbers and the suffix.
  private static let reserved = 48

  /// The name of an output, truncated at a character boundary to fit.
  static func stem(of target: String) -> String {
    var stem = target
    while stem.systemBytes.count > Int(NAME_MAX) - reserved { stem.removeLast() }
    return stem
  }

  /// Removes the files of terminated runs.
  /// - Parameter isTarget: Whether an output with this stem is about to be written.
  /// - Returns: Whether a running process writes one of them.
  @discardableResult
  static func removeDead(in folder: String, _ isTarget: (String) -> Bool) -> Bool {
    var isAlive = false
    for name in FileLocation.names(in: folder) ?? [] where stem(in: name).map(isTarget) ?? false {
      let path = FileLocation.path(folder, name)
      let descriptor = unsafe open(path.systemName, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
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

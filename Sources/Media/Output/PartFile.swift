internal import Files
internal import Foundation
internal import Synchronization

/// What an output is written to until it is complete: a file beside it, under a name of its own.
///
/// It is locked while its process lives, so that another run can tell an abandoned file from one in use without guessing
/// by age. The kernel releases the lock however the process ends.
final class PartFile: Sendable {
  let path: String
  /// Holds the lock; nothing is written through it.
  private let descriptor: Int32

  /// Files of this process so far: keeps names apart that are cut short.
  private static let count = Atomic(0)
  private static let mark = ".headroom-"
  private static let suffix = ".part"
  /// Names that are tried: processes of two machines in one folder may have the same number.
  private static let maximumTries = 100

  /// - Parameter place: The file that it will become.
  /// - Throws: `OutputError.failed` where no file can be made there.
  init(beside place: FilePlace, target: String) throws(OutputError) {
    for _ in 0..<Self.maximumTries {
      let path = FilePlace.path(place.folder, Self.name(of: place.name))
      let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0, errno == EEXIST { continue }
      if descriptor < 0 {
        let code = errno
        throw .failed(.create, path: target, code: code, message: unsafe String(cString: strerror(code)))
      }
      // File systems without locks have none to ask for either: what is there stays there.
      _ = flock(descriptor, LOCK_EX)
      // Between the two calls another run may have taken it for one of a dead run.
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

  /// Bytes of a name that are kept for the mark, two numbers and the suffix.
  private static let reserved = 48

  /// As much of the name of an output as there is room for, cut between characters.
  static func stem(of target: String) -> String {
    var stem = target
    while stem.systemBytes.count > Int(NAME_MAX) - reserved { stem.removeLast() }
    return stem
  }

  /// Removes the files of runs that are no more.
  /// - Parameter isTarget: Whether an output with this stem is about to be written.
  /// - Returns: A run that still lives writes one of them.
  @discardableResult
  static func removeDead(in folder: String, _ isTarget: (String) -> Bool) -> Bool {
    var isAlive = false
    for name in FilePlace.names(in: folder) ?? [] where stem(in: name).map(isTarget) ?? false {
      let path = FilePlace.path(folder, name)
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

  /// The stem of the output that a temporary file is one of; nil where it is none.
  private static func stem(in name: String) -> String? {
    guard name.hasPrefix("."), name.hasSuffix(suffix), let end = name.range(of: mark, options: .backwards) else {
      return nil
    }
    let number = name[end.upperBound...].dropLast(suffix.count)
    guard number.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "-" }) else { return nil }
    return String(name[..<end.lowerBound].dropFirst())
  }
}

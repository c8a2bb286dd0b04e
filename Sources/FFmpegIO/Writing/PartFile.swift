internal import Files
internal import Foundation
internal import Synchronization

/// What an output is written to until it is complete: a file beside it, under a name of its own.
///
/// It is locked for as long as its run lives, so that another run knows whether it may remove it, without a thought for
/// its age. A lock ends with its process, however that ends.
final class PartFile: Sendable {
  let path: String
  /// Holds the lock; nothing is written through it.
  private let descriptor: Int32

  /// Files of this process so far: long names are cut, and must not become one.
  private static let count = Atomic(0)
  private static let mark = ".headroom-"
  private static let suffix = ".part"
  /// Names that are tried: processes of two machines in one folder may have the same number.
  private static let mostTries = 100

  /// - Parameter place: The file that it will become.
  /// - Throws: `FFmpegError.failed` where no file can be made there.
  init(beside place: FilePlace, target: String) throws(FFmpegError) {
    for _ in 0..<Self.mostTries {
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

  /// A name of the system's 255 bytes at most, cut between characters.
  private static func name(of target: String) -> String {
    let number = count.add(1, ordering: .relaxed).newValue
    let end = "\(mark)\(ProcessInfo.processInfo.processIdentifier)-\(number)\(suffix)"
    var stem = "." + target
    while stem.systemBytes.count + end.utf8.count > Int(NAME_MAX) { stem.removeLast() }
    return stem + end
  }

  /// Removes the files of runs that are no more.
  /// - Parameter isTarget: Whether an output of this name is about to be written.
  /// - Returns: A run that still lives writes one of them.
  @discardableResult
  static func removeDead(in folder: String, _ isTarget: (String) -> Bool) -> Bool {
    var isAlive = false
    for name in FilePlace.names(in: folder) where target(of: name).map(isTarget) ?? false {
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

  /// The output that a temporary file is one of; nil where it is none.
  private static func target(of name: String) -> String? {
    guard name.hasPrefix("."), name.hasSuffix(suffix), let end = name.range(of: mark, options: .backwards) else {
      return nil
    }
    let number = name[end.upperBound...].dropLast(suffix.count)
    guard number.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "-" }) else { return nil }
    return String(name[..<end.lowerBound].dropFirst())
  }
}

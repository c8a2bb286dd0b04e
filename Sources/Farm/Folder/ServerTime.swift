internal import Files
internal import Foundation

/// A time by the clock of the file server, the only one that all machines share.
public struct ServerTime: Hashable, Comparable, Sendable {
  /// Since 1970.
  public let seconds: Int
  /// 0 to 999,999,999.
  public let nanoseconds: Int

  init(_ time: timespec) { (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec)) }

  public static func < (left: ServerTime, right: ServerTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Seconds from an earlier time to this one; negative if that one is later.
  public func seconds(since earlier: ServerTime) -> Double {
    Double(seconds) - Double(earlier.seconds) + Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}

extension WorkFolder {
  /// The server's clock. Its file system is asked for the time at which a file is touched, since the clocks of
  /// machines may differ.
  /// - Throws: `FarmError.failed` where the folder cannot be written to.
  public func now() throws(FarmError) -> ServerTime {
    let path = path(of: ".clock")
    let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed(.create, path: path, code: errno) }
    defer { close(descriptor) }
    guard futimens(descriptor, nil) == 0, let facts = FileFacts(descriptor) else {
      throw .failed(.write, path: path, code: errno)
    }
    return facts.modified
  }
}

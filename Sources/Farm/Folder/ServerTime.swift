internal import Files
internal import Foundation

/// A time by the file server's clock, the only one that all machines share.
public struct ServerTime: Hashable, Comparable, Sendable {
  /// Since 1970.
  public let seconds: Int
  /// 0 to 999,999,999.
  public let nanoseconds: Int

  init(_ time: timespec) { (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec)) }

  public static func < (left: ServerTime, right: ServerTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Returns the seconds since another time; negative if that is later.
  public func seconds(since earlier: ServerTime) -> Double {
    Double(seconds) - Double(earlier.seconds) + Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}

extension WorkFolder {
  /// Returns the server's time, by touching a file: the machines' clocks may differ.
  /// - Throws: `FarmError.failed` if the folder is not writable.
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

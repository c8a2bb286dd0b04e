internal import Glibc
internal import Media

/// Ends the wait of one thread from others, and waits for a display's connection at the same time.
final class WakeUp: Sendable {
  private let readEnd: Int32
  private let writeEnd: Int32

  init() throws(ScreenError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .noResources(reason: SystemCode.text(errno)) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    Glibc.close(readEnd)
    Glibc.close(writeEnd)
  }

  /// From any thread. A full pipe ends the wait as well.
  func signal() {
    var byte: UInt8 = 1
    unsafe Glibc.write(writeEnd, &byte, 1)
  }

  /// Returns after a signal, when the connection has something to read, or when the time is over.
  /// - Parameters:
  ///   - connection: A file descriptor; nil: none.
  ///   - milliseconds: At most that long.
  /// - Returns: Whether the connection was hung up.
  func wait(or connection: Int32?, milliseconds: Int32) -> Bool {
    var waited = [pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)]
    if let connection { waited.append(pollfd(fd: connection, events: Int16(POLLIN), revents: 0)) }
    let count = unsafe poll(&waited, nfds_t(waited.count), milliseconds)
    guard count > 0 else { return false }
    if waited[0].revents != 0 {
      var bytes: [UInt8] = Array(repeating: 0, count: 256)
      while unsafe read(readEnd, &bytes, bytes.count) == bytes.count {}
    }
    return waited.count > 1 && Int32(waited[1].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }
}

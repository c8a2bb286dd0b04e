internal import Glibc
internal import Media

/// Wakes one thread from others, while it also waits for a display connection.
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

  /// Wakes the thread, from any other thread. A full pipe wakes it, too.
  func signal() {
    var byte: UInt8 = 1
    unsafe Glibc.write(writeEnd, &byte, 1)
  }

  /// Waits for a signal, for data on the connection, or for a timeout.
  /// - Parameters:
  ///   - connection: A file descriptor; nil: none.
  ///   - milliseconds: The timeout.
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

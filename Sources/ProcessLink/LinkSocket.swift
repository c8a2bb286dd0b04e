internal import Glibc

/// A stream socket with complete reads and writes, closed once.
///
/// Non-blocking is requested per call rather than set: an inherited descriptor shares its flags.
final class LinkSocket: Sendable {
  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Writes all of `bytes`.
  /// - Parameter deadline: The time limit.
  func write(_ bytes: [UInt8], until deadline: SuspendingClock.Instant) throws(LinkError) {
    var done = 0
    while done < bytes.count {
      let sent = unsafe bytes.withUnsafeBytes {
        unsafe send(
          descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      if sent >= 0 {
        done += sent
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: try wait(for: POLLOUT, until: deadline)
      case EPIPE, ECONNRESET: throw .isClosed
      case let code: throw .system(code)
      }
    }
  }

  /// Reads exactly `count` bytes.
  /// - Parameter mayEnd: Whether end of file is allowed before the first byte.
  /// - Returns: nil at end of file.
  func read(_ count: Int, mayEnd: Bool) throws(LinkError) -> [UInt8]? {
    // Untouched pages take no memory: an announced length alone costs nothing.
    var (end, failure) = (false, Int32(0))
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, !end, failure == 0 {
        let received = unsafe recv(descriptor, buffer.baseAddress! + filled, count - filled, 0)
        if received > 0 { filled += received }
        if received == 0 { end = true }
        if received < 0, errno == EAGAIN {
          var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          unsafe poll(&entry, 1, -1)
        } else if received < 0, errno != EINTR {
          failure = errno
        }
      }
    }
    if failure != 0, failure != ECONNRESET { throw .system(failure) }
    if bytes.count == count { return bytes }
    if mayEnd, bytes.isEmpty { return nil }
    throw .isTruncated
  }

  private func wait(for event: Int32, until deadline: SuspendingClock.Instant) throws(LinkError) {
    let left = (deadline - .now) / .seconds(1)
    guard left > 0 else { throw .timedOut }
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    unsafe poll(&entry, 1, Int32(min(left * 1000 + 1, 60_000)))
  }
}

internal import Glibc

/// The defaults for capture-only devices.
extension DeviceFile {
  package func write(_ bytes: UnsafeRawBufferPointer) -> Int { -Int(EBADF) }

  package func waitToWrite(milliseconds: Int32) -> DeviceReadiness { .error }
}

extension KernelDevice {
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    while true {
      let count = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }

  func waitToWrite(milliseconds: Int32) -> DeviceReadiness {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe Glibc.poll(&poll, 1, milliseconds) > 0 else { return [] }
    var ready: DeviceReadiness = []
    if poll.revents & Int16(POLLOUT) != 0 { ready.insert(.buffer) }
    if poll.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { ready.insert(.error) }
    return ready
  }
}

internal import Glibc

/// Collects the output of a pipe until its other end is closed.
struct PipeReader {
  private(set) var bytes: [UInt8] = []
  private var descriptor: Int32
  private var isOpen = true

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Reads several pipes concurrently, so that none of them fills up.
  /// - Returns: Whether all have ended within the time and size limits.
  static func read(_ readers: inout [PipeReader], until deadline: ContinuousClock.Instant, largest: Int) -> Bool {
    while readers.contains(where: \.isOpen) {
      let left = deadline - .now
      guard left > .zero else { return false }
      var polled = readers.map { pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0) }
      let milliseconds = Int32(clamping: left.components.seconds * 1000 + 1)
      let count = unsafe poll(&polled, nfds_t(polled.count), min(milliseconds, 1000))
      if count < 0, errno != EINTR { return false }
      for index in readers.indices where count > 0 && polled[index].revents != 0 {
        readers[index].readBlock()
        if readers[index].bytes.count > largest { return false }
      }
    }
    return true
  }

  private mutating func readBlock() {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe block.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress!, $0.count) }
    if count > 0 {
      bytes += block[..<count]
    } else if count == 0 || errno != EINTR {
      isOpen = false
    }
  }
}

internal import Frames
internal import Glibc
internal import Synchronization

/// An open terminal in raw mode.
///
/// It is opened again, so that its descriptor can be one that does not block without changing those of other programs.
final class TerminalDevice: Sendable {
  private let descriptor: Int32
  private let restoration: TerminalRestoration
  private let isInterrupted = Atomic(false)
  private let isGivenBack = Atomic(false)

  /// Milliseconds after which a waiting thread sees that it is to stop.
  private static let patience: Int32 = 50

  /// Opens a terminal and takes its modes over.
  /// - Parameter given: A descriptor of it; nil: standard output if that is one, else the controlling terminal.
  /// - Throws: `TerminalError`.
  init(_ given: Int32?) throws(TerminalError) {
    descriptor = try Self.open(given)
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      let code = errno
      close(descriptor)
      throw .requestFailed(request: "its modes", code: code)
    }
    restoration = TerminalRestoration(descriptor: descriptor, settings: settings)
    Self.makeRaw(&settings)
    guard unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      throw .requestFailed(request: "raw mode", code: errno)
    }
  }

  private static func open(_ given: Int32?) throws(TerminalError) -> Int32 {
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    var path = [CChar](repeating: 0, count: 256)
    var code = unsafe ttyname_r(given ?? STDOUT_FILENO, &path, path.count)
    if code == 0 {
      let opened = unsafe Glibc.open(path, flags)
      if opened >= 0 { return opened }
      code = errno
    }
    if given == nil {
      let opened = unsafe Glibc.open("/dev/tty", flags)
      if opened >= 0 { return opened }
      code = errno
    }
    throw .noTerminal(code: code)
  }

  /// Keys come as they are pressed and are not echoed. Ctrl-C still interrupts; Ctrl-Z would leave the picture in the shell.
  private static func makeRaw(_ settings: inout termios) {
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    settings.c_oflag &= ~tcflag_t(OPOST)
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    settings.c_lflag |= tcflag_t(ISIG)
    // 0 is no character at all.
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
      unsafe characters[Int(VSUSP)] = 0
    }
  }

  /// Its size as its driver knows it.
  var geometry: TerminalGeometry {
    var size = winsize()
    _ = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return TerminalGeometry(
      columns: Int(size.ws_col), rows: Int(size.ws_row),
      pixels: Size(width: Int(size.ws_xpixel), height: Int(size.ws_ypixel)))
  }

  /// Bytes that it has sent; none if there are none within a time.
  /// - Throws: `TerminalError.isGone`.
  func receive(milliseconds: Int32) throws(TerminalError) -> [UInt8] {
    let events = wait(for: POLLIN, milliseconds: milliseconds)
    guard events != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count > 0 { return Array(bytes[..<count]) }
    if count < 0, errno == EINTR || errno == EAGAIN, events & (POLLHUP | POLLERR | POLLNVAL) == 0 { return [] }
    throw .isGone
  }

  /// It would take bytes now.
  var isReady: Bool { wait(for: POLLOUT, milliseconds: 0) == POLLOUT }

  /// Sends bytes at the speed at which the terminal reads.
  /// - Parameter patience: After which it gives up; nil: never.
  /// - Returns: How many were sent: fewer if it was interrupted or gave up.
  /// - Throws: `TerminalError.isGone`.
  func send(_ bytes: [UInt8], patience: Duration? = nil) throws(TerminalError) -> Int {
    let start = ContinuousClock.now
    var offset = 0
    while offset < bytes.count {
      if isInterrupted.load(ordering: .acquiring) || !restoration.isArmed { return offset }
      let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress! + offset, $0.count - offset) }
      if count >= 0 {
        offset += count
        continue
      }
      guard errno == EAGAIN || errno == EINTR else { throw .isGone }
      if let patience, ContinuousClock.now - start > patience { return offset }
      if wait(for: POLLOUT, milliseconds: Self.patience) & (POLLHUP | POLLERR | POLLNVAL) != 0 { throw .isGone }
    }
    return offset
  }

  private func wait(for event: Int32, milliseconds: Int32) -> Int32 {
    var poll = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe Glibc.poll(&poll, 1, milliseconds) > 0 ? Int32(poll.revents) : 0
  }

  /// The terminal will keep images that are to be deleted in the end.
  func expectImages() { restoration.expectImages() }

  /// Nothing is sent any more, not even what waits. From any thread.
  func interrupt() { isInterrupted.store(true, ordering: .releasing) }

  /// Gives the terminal back as it was found. Nothing is sent after that. From any thread, more than once too.
  func giveBack() {
    interrupt()
    if !isGivenBack.exchange(true, ordering: .acquiringAndReleasing) { restoration.finish() }
  }

  deinit {
    giveBack()
    close(descriptor)
  }
}

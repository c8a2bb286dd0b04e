internal import Frames
internal import Glibc
internal import Synchronization

/// An open terminal in raw mode.
///
/// Opened separately, so that its descriptor can be non-blocking without affecting those of other programs.
final class TerminalDevice: Sendable {
  private let descriptor: Int32
  private let restoration: TerminalRestoration
  private let isInterrupted = Atomic(false)
  private let isGivenBack = Atomic(false)

  /// Milliseconds between checks whether to stop.
  private static let pollInterval: Int32 = 50

  /// Opens a terminal and saves its modes.
  /// - Parameter given: A descriptor of the terminal; nil: standard output if it is a terminal, otherwise the
  ///   controlling terminal.
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
    guard unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0
    else { throw .requestFailed(request: "raw mode", code: errno) }
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

  /// Delivers keys immediately and without echo. Ctrl-C still interrupts; Ctrl-Z is disabled, as it would leave the
  /// picture in the shell.
  private static func makeRaw(_ settings: inout termios) {
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    settings.c_oflag &= ~tcflag_t(OPOST)
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    settings.c_lflag |= tcflag_t(ISIG)
    // 0 disables a special character.
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
      unsafe characters[Int(VSUSP)] = 0
    }
  }

  /// The size reported by the terminal driver.
  var geometry: TerminalGeometry {
    var size = winsize()
    _ = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return TerminalGeometry(
      columns: Int(size.ws_col), rows: Int(size.ws_row),
      pixels: Size(width: Int(size.ws_xpixel), height: Int(size.ws_ypixel)))
  }

  /// Returns the bytes received within a timeout; empty if there are none.
  func receive(milliseconds: Int32) throws(TerminalError) -> [UInt8] {
    let events = wait(for: POLLIN, milliseconds: milliseconds)
    guard events != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count > 0 { return Array(bytes[..<count]) }
    if count < 0, errno == EINTR || errno == EAGAIN, events & (POLLHUP | POLLERR | POLLNVAL) == 0 { return [] }
    throw .isGone
  }

  /// Whether the terminal accepts bytes now.
  var isReady: Bool { wait(for: POLLOUT, milliseconds: 0) == POLLOUT }

  /// Sends bytes as fast as the terminal reads them.
  /// - Parameter timeout: nil: none.
  /// - Returns: The number of bytes sent: fewer if interrupted or timed out.
  func send(_ bytes: [UInt8], timeout: Duration? = nil) throws(TerminalError) -> Int {
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
      if let timeout, ContinuousClock.now - start > timeout { return offset }
      if wait(for: POLLOUT, milliseconds: Self.pollInterval) & (POLLHUP | POLLERR | POLLNVAL) != 0 { throw .isGone }
    }
    return offset
  }

  private func wait(for event: Int32, milliseconds: Int32) -> Int32 {
    var poll = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe Glibc.poll(&poll, 1, milliseconds) > 0 ? Int32(poll.revents) : 0
  }

  /// Makes restoration delete the images that follow.
  func expectImages() { restoration.expectImages() }

  /// Stops sending, including pending bytes. Callable from any thread.
  func interrupt() { isInterrupted.store(true, ordering: .releasing) }

  /// Restores the terminal; nothing is sent afterwards. Callable from any thread, repeatedly.
  func giveBack() {
    interrupt()
    if !isGivenBack.exchange(true, ordering: .acquiringAndReleasing) { restoration.finish() }
  }

  deinit {
    giveBack()
    close(descriptor)
  }
}

/// Output for a terminal, with the state it leads to.
struct TerminalOutput {
  private(set) var bytes: [UInt8] = []
  private var cursor: (row: Int, column: Int)?
  private var foreground = TerminalCell.ownColor
  private var background = TerminalCell.ownColor
  private var hasCells = false

  /// Discards the output, to start a new picture.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends text or control sequences unchanged.
  mutating func append(_ text: StaticString) {
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes unchanged.
  mutating func append(contentsOf other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  /// Appends a byte.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends a decimal number, 0 or above.
  mutating func append(number: Int) {
    if number >= 10 { append(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Moves the cursor to a cell, counting from 0.
  mutating func move(row: Int, column: Int) {
    append("\u{1B}[")
    append(number: row + 1)
    append(UInt8(ascii: ";"))
    append(number: column + 1)
    append(UInt8(ascii: "H"))
  }

  /// Starts a run of cells, with unknown cursor and colours.
  mutating func beginCells() { (cursor, hasCells) = (nil, false) }

  /// Appends a cell, as its character alone if possible.
  mutating func append(_ cell: TerminalCell, row: Int, column: Int) {
    if !hasCells {
      hasCells = true
      append("\u{1B}[0m")
      (foreground, background) = (TerminalCell.ownColor, TerminalCell.ownColor)
    }
    advance(to: row, column)
    // A space needs no foreground.
    setColors(cell.glyph == 0x20 ? foreground : cell.foreground, cell.background)
    if cell.glyph < 0x80 {
      bytes.append(UInt8(cell.glyph))
    } else if let scalar = Unicode.Scalar(cell.glyph) {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    cursor = (row, column + 1)
  }

  private mutating func advance(to row: Int, _ column: Int) {
    guard let cursor, cursor.row == row else { return move(row: row, column: column) }
    guard cursor.column != column else { return }
    append("\u{1B}[")
    if column > cursor.column + 1 { append(number: column - cursor.column) }
    append(UInt8(ascii: "C"))
  }

  private mutating func setColors(_ newForeground: UInt32, _ newBackground: UInt32) {
    let (changesForeground, changesBackground) = (newForeground != foreground, newBackground != background)
    guard changesForeground || changesBackground else { return }
    append("\u{1B}[")
    if changesForeground { append(color: newForeground, 38) }
    if changesForeground, changesBackground { append(UInt8(ascii: ";")) }
    if changesBackground { append(color: newBackground, 48) }
    append(UInt8(ascii: "m"))
    (foreground, background) = (newForeground, newBackground)
  }

  /// - Parameter code: 38 for the foreground, 48 for the background; the next number selects the terminal's default.
  private mutating func append(color: UInt32, _ code: Int) {
    guard color != TerminalCell.ownColor else { return append(number: code + 1) }
    append(number: code)
    append(";2;")
    append(number: Int(color >> 16))
    append(UInt8(ascii: ";"))
    append(number: Int(color >> 8 & 0xFF))
    append(UInt8(ascii: ";"))
    append(number: Int(color & 0xFF))
  }
}

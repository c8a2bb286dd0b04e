import Foundation
import Glibc
import Synchronization
import TestSupport

/// A terminal that a test plays: it takes what is drawn, answers questions, and types.
final class PseudoTerminal: Sendable {
  /// What it answers when it is asked for its primary device attributes, which is the last question.
  struct Answer: Sendable {
    var text = ""
    /// Seconds that it takes.
    var delay = 0.0
    /// A second part, and seconds before it.
    var rest: (delay: Double, text: String)?

    static let nothing = Answer()
    static let plain = Answer(text: "\u{1B}[?62;22c")
    static let sixel = Answer(text: "\u{1B}[6;20;10t\u{1B}[4;480;800t\u{1B}[?62;4;22c")
    static let kitty = Answer(text: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;22c")
  }

  private struct State {
    var received: [UInt8] = []
    var isReading = true
    var isOpen = true
    /// Bytes up to the last question.
    var asked = 0
  }

  /// The end of the program under test.
  let slave: Int32
  private let master: Int32
  private let answer: Answer
  private let state = Mutex(State())

  struct Failure: Error {}

  init(columns: Int = 80, rows: Int = 24, pixels: (Int, Int) = (0, 0), answer: Answer = .plain) throws {
    // grantpt and its like are not imported: the requests that they make (asm-generic/ioctls.h, TIOCGPTN, TIOCSPTLCK).
    master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, isLocked) = (Int32(0), Int32(0))
    guard master >= 0, unsafe ioctl(master, 0x8004_5430, &number) == 0,
      unsafe ioctl(master, 0x4004_5431, &isLocked) == 0
    else { throw Failure() }
    slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw Failure() }
    self.answer = answer
    resize(columns: columns, rows: rows, pixels: pixels)
    Thread.detachNewThread { [self] in read() }
  }

  deinit {
    close(slave)
    if state.withLock({ $0.isOpen }) { close(master) }
  }

  func resize(columns: Int, rows: Int, pixels: (Int, Int) = (0, 0)) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(pixels.0), ws_ypixel: UInt16(pixels.1))
    _ = unsafe ioctl(slave, UInt(TIOCSWINSZ), &size)
  }

  /// What it has been sent so far.
  var received: [UInt8] { state.withLock { $0.received } }

  /// What it shows now.
  var screen: ScreenEmulator { ScreenEmulator(received) }

  /// Its modes.
  var settings: termios {
    var settings = termios()
    unsafe tcgetattr(slave, &settings)
    return settings
  }

  func type(_ text: String) { type(Array(text.utf8)) }

  func type(_ bytes: [UInt8]) {
    _ = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
  }

  func setReading(_ isReading: Bool) { state.withLock { $0.isReading = isReading } }

  /// The connection breaks.
  func hangUp() { state.withLock { $0.isOpen = false } }

  /// Waits until something is true of what it shows.
  func wait(until isTrue: (ScreenEmulator) -> Bool) -> Bool { comesTrue { isTrue(screen) } }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (isOpen, isReading) = state.withLock { ($0.isOpen, $0.isReading) }
      guard isOpen else {
        close(master)
        return
      }
      var poll = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard isReading, unsafe Glibc.poll(&poll, 1, 10) > 0 else {
        if !isReading { usleep(2000) }
        continue
      }
      let count = unsafe Glibc.read(master, &bytes, bytes.count)
      guard count > 0 else { return }
      let asks = state.withLock { state in
        state.received.append(contentsOf: bytes[..<count])
        guard state.received[state.asked...].contains(Array("\u{1B}[c".utf8)) else { return false }
        state.asked = state.received.count
        return true
      }
      if asks { reply() }
    }
  }

  private func reply() {
    if answer.delay > 0 { Thread.sleep(forTimeInterval: answer.delay) }
    if !answer.text.isEmpty { type(answer.text) }
    if let rest = answer.rest {
      Thread.sleep(forTimeInterval: rest.delay)
      type(rest.text)
    }
  }
}

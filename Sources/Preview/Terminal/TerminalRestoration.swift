internal import Glibc
internal import Synchronization

/// Restores a terminal's modes, screen and cursor.
///
/// The data for signal handlers is in entries that are reused and never freed, so there are as many as terminals were
/// open at a time.
final class TerminalRestoration: Sendable {
  /// The saved state of a terminal.
  private final class Entry: @unchecked Sendable {
    // @unchecked: variables are written only in the state `filling`, in which a single thread owns the entry.
    let state = Atomic(State.filling)
    let hasImages = Atomic(false)
    var descriptor: Int32 = -1
    var settings = termios()
    var next: Entry?
  }

  private enum State {
    static let free = 0
    static let filling = 1
    static let armed = 2
    static let restoring = 3
    static let restored = 4
  }

  /// The head of the list of entries; each is retained once, permanently.
  private static let first = unsafe Atomic<Unmanaged<Entry>?>(nil)

  /// Ends an unfinished sequence, string or synchronized update, shows the cursor, and returns to the main screen.
  private static let sequence: StaticString = "\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  /// Deletes all images of kitty's protocol; other terminals might print this sequence.
  private static let deletion: StaticString = "\u{1B}\\\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

  private let entry: Entry

  /// Registers a terminal for restoration.
  /// - Parameters:
  ///   - descriptor: The terminal's descriptor; must be non-blocking.
  ///   - settings: The original modes.
  init(descriptor: Int32, settings: termios) {
    entry = Self.freeEntry()
    entry.descriptor = descriptor
    entry.settings = settings
    entry.hasImages.store(false, ordering: .relaxed)
    entry.state.store(State.armed, ordering: .releasing)
  }

  private static var firstEntry: Entry? { unsafe first.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Returns an entry in the state `filling`.
  private static func freeEntry() -> Entry {
    var next = firstEntry
    while let entry = next {
      let taken = entry.state.compareExchange(
        expected: State.free, desired: State.filling, ordering: .acquiringAndReleasing)
      if taken.exchanged { return entry }
      next = entry.next
    }
    let entry = Entry()
    let retained = unsafe Unmanaged.passRetained(entry)
    while true {
      let head = unsafe first.load(ordering: .acquiring)
      unsafe entry.next = head?.takeUnretainedValue()
      let pushed = unsafe first.compareExchange(expected: head, desired: retained, ordering: .acquiringAndReleasing)
      if unsafe pushed.exchanged { return entry }
    }
  }

  /// Whether the terminal still has to be restored.
  var isArmed: Bool { entry.state.load(ordering: .acquiring) == State.armed }

  /// Makes restoration delete images.
  func expectImages() { entry.hasImages.store(true, ordering: .releasing) }

  /// Restores the terminal if necessary and releases the entry. Called once, before the descriptor is closed.
  func finish() {
    // A signal handler may restore it at the same time, which is harmless.
    if isArmed { Self.giveBack(entry) }
    while true {
      let state = entry.state.load(ordering: .acquiring)
      guard state != State.restoring else {
        usleep(1000)
        continue
      }
      let freed = entry.state.compareExchange(
        expected: state, desired: State.free, ordering: .acquiringAndReleasing)
      if freed.exchanged { return }
    }
  }

  /// Restores all terminals, with async-signal-safe calls.
  static func restoreAll() {
    var next = firstEntry
    while let entry = next {
      let taken = entry.state.compareExchange(
        expected: State.armed, desired: State.restoring, ordering: .acquiringAndReleasing)
      if taken.exchanged {
        giveBack(entry)
        entry.state.store(State.restored, ordering: .releasing)
      }
      next = entry.next
    }
  }

  private static func giveBack(_ entry: Entry) {
    let descriptor = entry.descriptor
    if entry.hasImages.load(ordering: .acquiring) { send(deletion, to: descriptor) }
    send(sequence, to: descriptor)
    // Otherwise unread keys and replies would go to the shell.
    tcflush(descriptor, TCIFLUSH)
    unsafe tcsetattr(descriptor, TCSANOW, &entry.settings)
  }

  /// Writes for half a second at most. If the terminal does not read, its pending output is discarded.
  private static func send(_ text: StaticString, to descriptor: Int32) {
    var (offset, attempts) = (0, 0)
    while offset < text.utf8CodeUnitCount {
      let count = unsafe write(descriptor, text.utf8Start + offset, text.utf8CodeUnitCount - offset)
      if count > 0 {
        offset += count
        continue
      }
      attempts += 1
      guard attempts <= 10, count < 0, errno == EAGAIN || errno == EINTR else { return }
      if attempts == 10 { tcflush(descriptor, TCOFLUSH) }
      var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      unsafe Glibc.poll(&poll, 1, 50)
    }
  }
}

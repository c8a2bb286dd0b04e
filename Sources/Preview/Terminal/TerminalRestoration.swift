internal import Glibc
internal import Synchronization

/// Gives a terminal back as it was found: its modes, its screen and its cursor.
///
/// What a signal handler needs is kept in entries that are never freed, only used again, so their number is that of the terminals that
/// were open at the same time.
final class TerminalRestoration: Sendable {
  /// What is known of a terminal.
  private final class Entry: @unchecked Sendable {
    // @unchecked: variables are written only in the state `filling`, in which one thread has the entry and others leave it alone.
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

  /// The first of all entries; each is retained once, for ever.
  private static let first = unsafe Atomic<Unmanaged<Entry>?>(nil)

  /// Ends an unfinished sequence or string, shows what was held back, the cursor, and the screen of before.
  private static let sequence: StaticString = "\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  /// Deletes all images of kitty's protocol; other terminals might print it.
  private static let deletion: StaticString = "\u{1B}\\\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

  private let entry: Entry

  /// From now on the terminal can be given back.
  /// - Parameters:
  ///   - descriptor: Of the terminal; it must not block.
  ///   - settings: Its modes as they were found.
  init(descriptor: Int32, settings: termios) {
    entry = Self.freeEntry()
    entry.descriptor = descriptor
    entry.settings = settings
    entry.hasImages.store(false, ordering: .relaxed)
    entry.state.store(State.armed, ordering: .releasing)
  }

  private static var firstEntry: Entry? { unsafe first.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// An entry in the state `filling`.
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

  /// The terminal has not been given back yet.
  var isArmed: Bool { entry.state.load(ordering: .acquiring) == State.armed }

  /// The terminal keeps images that are to be deleted.
  func expectImages() { entry.hasImages.store(true, ordering: .releasing) }

  /// Gives the terminal back unless that has been done, and forgets it. Called once, before the descriptor is closed.
  func finish() {
    // If a signal comes meanwhile, its handler does the same once more, which does no harm.
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

  /// Gives all terminals back with calls that a signal handler may make.
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
    // Keys and answers that are still unread would be typed into the shell.
    tcflush(descriptor, TCIFLUSH)
    unsafe tcsetattr(descriptor, TCSANOW, &entry.settings)
  }

  /// Writes for half a second at most. If the terminal does not read, what it has not read is dropped.
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

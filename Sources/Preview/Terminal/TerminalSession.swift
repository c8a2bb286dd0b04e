internal import Frames
internal import Glibc
internal import Synchronization
internal import Threads

/// An open terminal that shows pictures.
final class TerminalSession: Sendable {
  /// The graphics in use.
  let graphics: TerminalScreen.Graphics
  private let device: TerminalDevice
  /// Cell size in pixels, from the terminal's reply.
  private let answeredCell: Size?
  private let geometry: Mutex<TerminalGeometry>
  private let overlay = Mutex(TerminalOverlay())
  private let drawing: Mutex<TerminalDrawing>
  private let onInput: @Sendable (ScreenInput) -> Void
  private let threads = ThreadGroup()
  private let isEnding = Atomic(false)
  /// The input thread; 0: not started.
  private let listener = Atomic<pthread_t>(0)

  /// Milliseconds between checks whether to stop.
  private static let pollInterval = 100
  /// Polling interval for size and status.
  private static let interval = Duration.milliseconds(250)

  /// - Parameters:
  ///   - device: In raw mode.
  ///   - answers: The terminal's replies; the keys among them are still to be handled.
  init(
    _ device: TerminalDevice, _ graphics: TerminalScreen.Graphics, _ answers: TerminalQuery.Answers,
    onInput: @escaping @Sendable (ScreenInput) -> Void
  ) throws {
    (self.device, self.graphics, self.onInput, answeredCell) = (device, graphics, onInput, answers.cell)
    let geometry = device.geometry.with(answers.cell)
    self.geometry = Mutex(geometry)
    drawing = Mutex(TerminalDrawing(graphics))
    if graphics == .kitty { device.expectImages() }
    try threads.start { [self] in listen(answers.presses, answers.input) }
  }

  /// The area available for pictures.
  var area: ScreenArea { geometry.withLock { $0 }.area(for: graphics) }

  /// The current geometry, even if its change has not been reported yet.
  private var currentGeometry: TerminalGeometry { device.geometry.with(answeredCell) }

  /// Shows a picture.
  func write(_ frame: CodedFrame) throws(TerminalError) {
    let geometry = currentGeometry
    let lines = overlay.withLock { $0.lines(geometry) }
    try drawing.withLock { drawing throws(TerminalError) in
      try drawing.show(frame, lines, geometry, on: device)
    }
  }

  /// Updates the status line from the next picture on.
  func show(_ status: PreviewStatus) { overlay.withLock { $0.status = status } }

  /// Shows a message.
  func say(_ message: String) { overlay.withLock { $0.say(message) } }

  /// Stops sending. Callable from any thread.
  func interrupt() { device.interrupt() }

  /// Restores the terminal. The thread has ended afterwards, unless it is the caller.
  func end() {
    isEnding.store(true, ordering: .releasing)
    device.interrupt()
    if listener.load(ordering: .acquiring) != pthread_self() { threads.wait() }
    device.giveBack()
  }

  private func listen(_ presses: [PreviewKey.Press], _ input: TerminalInput) {
    listener.store(pthread_self(), ordering: .releasing)
    presses.forEach(handle)
    var input = input
    var (lastByte, lastLook) = (ContinuousClock.now, ContinuousClock.now)
    do throws(TerminalError) {
      while !isEnding.load(ordering: .acquiring) {
        let bytes = try device.receive(milliseconds: Int32(min(input.timeout ?? Self.pollInterval, Self.pollInterval)))
        let now = ContinuousClock.now
        if !bytes.isEmpty {
          lastByte = now
          for byte in bytes { if let event = input.take(byte) { handle(event) } }
        } else if let timeout = input.timeout, now - lastByte >= .milliseconds(timeout), let event = input.flush() {
          handle(event)
        }
        if now - lastLook >= Self.interval {
          lastLook = now
          look()
          try refresh()
        }
      }
    } catch {
      onInput(.closed)
    }
  }

  /// Polls for a change of size: a signal handler would affect the whole program.
  private func look() {
    let current = currentGeometry
    let isChanged = geometry.withLock { geometry in
      defer { geometry = current }
      return geometry != current
    }
    if isChanged { onInput(.areaChanged) }
  }

  /// Draws changed text, unless a picture is being sent: text appears with that one or at the next refresh.
  private func refresh() throws(TerminalError) {
    let geometry = currentGeometry
    let lines = overlay.withLock { $0.lines(geometry) }
    _ = try drawing.withLockIfAvailable { drawing throws(TerminalError) in
      try drawing.show(lines, geometry, on: device)
    }
  }

  private func handle(_ event: TerminalInput.Event) {
    // Ignores late replies.
    if case .press(let press) = event { handle(press) }
  }

  private func handle(_ press: PreviewKey.Press) {
    guard let command = PreviewKey.command(for: press) else { return }
    switch command {
    case .toggleFullScreen: return
    case .toggleStatus: overlay.withLock { $0.isStatusOn.toggle() }
    case .toggleHelp:
      overlay.withLock { $0.isHelpOn.toggle() }
      // Sixels under the text are lost.
      onInput(.areaChanged)
    default: return onInput(.command(command))
    }
    // If the terminal is gone, the next read reports it.
    try? refresh()
  }
}

extension TerminalGeometry {
  /// Returns the geometry, with the reported cell size if the driver has none.
  fileprivate func with(_ cell: Size?) -> TerminalGeometry {
    var geometry = self
    geometry.cell = geometry.cell ?? cell
    return geometry
  }
}

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
  /// - Parameter descriptor: The terminal's descriptor; must be non-blocking.
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

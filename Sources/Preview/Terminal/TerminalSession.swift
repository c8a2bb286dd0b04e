internal import Frames
internal import Glibc
internal import Synchronization
internal import Threads

/// A terminal while pictures are shown on it.
final class TerminalSession: Sendable {
  /// How pictures are shown.
  let graphics: TerminalScreen.Graphics
  private let device: TerminalDevice
  /// Pixels of a cell as the terminal has answered.
  private let answeredCell: Size?
  private let geometry: Mutex<TerminalGeometry>
  private let overlay = Mutex(TerminalOverlay())
  private let drawing: Mutex<TerminalDrawing>
  private let onInput: @Sendable (ScreenInput) -> Void
  private let threads = ThreadGroup()
  private let isEnding = Atomic(false)
  /// The thread that listens; 0: it has not begun.
  private let listener = Atomic<pthread_t>(0)

  /// Milliseconds after which the thread sees that it is to end.
  private static let patience = 100
  /// How often size and status are looked at.
  private static let interval = Duration.milliseconds(250)

  /// - Parameters:
  ///   - device: In raw mode.
  ///   - graphics: How pictures are shown.
  ///   - answers: What the terminal has answered; the keys among it have not been handled.
  ///   - onInput: Gets what a person does.
  /// - Throws: `ThreadError`.
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

  /// The pixels that a picture may fill now.
  var area: ScreenArea { geometry.withLock { $0 }.area(for: graphics) }

  /// As it is now, even if that has not been reported yet.
  private var currentGeometry: TerminalGeometry { device.geometry.with(answeredCell) }

  /// Shows a picture.
  /// - Throws: `TerminalError`.
  func write(_ frame: CodedFrame) throws(TerminalError) {
    let geometry = currentGeometry
    let lines = overlay.withLock { $0.lines(geometry) }
    try drawing.withLock { drawing throws(TerminalError) in
      try drawing.show(frame, lines, geometry, on: device)
    }
  }

  /// The status line from the next picture on.
  func show(_ status: PreviewStatus) { overlay.withLock { $0.status = status } }

  /// Shows a message.
  func say(_ message: String) { overlay.withLock { $0.say(message) } }

  /// Nothing more is sent. From any thread.
  func interrupt() { device.interrupt() }

  /// Gives the terminal back. The thread has ended afterwards, unless this is called on it.
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
        let bytes = try device.receive(milliseconds: Int32(min(input.patience ?? Self.patience, Self.patience)))
        let now = ContinuousClock.now
        if !bytes.isEmpty {
          lastByte = now
          for byte in bytes { if let event = input.take(byte) { handle(event) } }
        } else if let patience = input.patience, now - lastByte >= .milliseconds(patience), let event = input.flush() {
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

  /// Sees whether the size has changed; a signal would be the whole program's.
  private func look() {
    let current = currentGeometry
    let isChanged = geometry.withLock { geometry in
      defer { geometry = current }
      return geometry != current
    }
    if isChanged { onInput(.areaChanged) }
  }

  /// Draws text that has changed, unless a picture is just being sent: that one, or the next time, shows it.
  private func refresh() throws(TerminalError) {
    let geometry = currentGeometry
    let lines = overlay.withLock { $0.lines(geometry) }
    _ = try drawing.withLockIfAvailable { drawing throws(TerminalError) in
      try drawing.show(lines, geometry, on: device)
    }
  }

  private func handle(_ event: TerminalInput.Event) {
    // Answers that come late are of no use any more.
    if case .press(let press) = event { handle(press) }
  }

  private func handle(_ press: PreviewKey.Press) {
    guard let command = PreviewKey.command(for: press) else { return }
    switch command {
    case .toggleFullScreen: return
    case .toggleStatus: overlay.withLock { $0.isStatusOn.toggle() }
    case .toggleHelp:
      overlay.withLock { $0.isHelpOn.toggle() }
      // Sixels under the text are gone.
      onInput(.areaChanged)
    default: return onInput(.command(command))
    }
    // If the terminal is gone, reading will say so.
    try? refresh()
  }
}

extension TerminalGeometry {
  /// The same with the size of cells that the terminal has answered, where its driver knows none.
  fileprivate func with(_ cell: Size?) -> TerminalGeometry {
    var geometry = self
    geometry.cell = geometry.cell ?? cell
    return geometry
  }
}

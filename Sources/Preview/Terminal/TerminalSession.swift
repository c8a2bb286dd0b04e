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
  private static let patience = 100
  /// Polling interval for size and status.
  private static let interval = Duration.milliseconds(250)

  /// - Parameters:
  ///   - device: In raw mode.
  ///   - graphics: The graphics to use.
  ///   - answers: The terminal's replies; the keys among them are still to be handled.
  ///   - onInput: Receives user input.
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

  /// The area available for pictures.
  var area: ScreenArea { geometry.withLock { $0 }.area(for: graphics) }

  /// The current geometry, even if its change has not been reported yet.
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

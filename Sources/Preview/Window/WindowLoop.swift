internal import Frames
internal import Glibc
internal import Lettering
internal import Media

/// The main loop of a window's thread: receives pictures and text, and sends user input.
final class WindowLoop {
  let window: SDLWindow
  private let exchange: WindowExchange
  private let onInput: @Sendable (ScreenInput) -> Void
  private var canvas: WindowCanvas
  private var overlays: WindowOverlays
  private var keyboard = WindowKeyboard()
  private var timers = WindowTimers()
  private var area: ScreenArea
  /// The pixel under the pointer; nil: outside the window.
  private var pointer: SIMD2<Double>?
  private var needsPainting = true
  private var failure: ScreenError?
  private var isOver = false
  /// Maximum repaints at a time for a window that keeps changing size; the next event triggers another.
  private static let attemptLimit = 3

  init(window: SDLWindow, exchange: WindowExchange, onInput: @escaping @Sendable (ScreenInput) -> Void) {
    (self.window, self.exchange, self.onInput) = (window, exchange, onInput)
    area = ScreenArea(size: window.size, scale: window.scale)
    canvas = WindowCanvas(size: area.size, format: window.format)
    overlays = WindowOverlays(typeface: try? Typeface.default())
  }

  /// Runs until the window is closed or the connection lost.
  /// - Parameter opened: Called when the window can accept pictures.
  func run(opened: () -> Void) {
    window.show()
    settle()
    exchange.update { [layout = window.format.layout] in $0.layout = layout }
    publish()
    if !isOver { opened() }
    while !isOver {
      handleEvents()
      takeInbox()
      attend(now: .now)
      if needsPainting {
        paint()
      } else if !isOver,
        exchange.wakeUp.wait(
          or: window.descriptor, milliseconds: timers.wait(from: .now, isPolled: window.descriptor == nil))
      {
        // SDL or Xlib detect a hang-up when they read; if they miss it, it still ends the window.
        handleEvents()
        if !isOver { end(with: .connectionLost) }
      }
    }
    exchange.end(with: failure)
    window.close()
  }

  private func takeInbox() {
    let inbox = exchange.take()
    for message in inbox.messages { overlays.say(message, now: .now) }
    if !inbox.messages.isEmpty { needsPainting = true }
    if let status = inbox.status, status != overlays.status {
      overlays.status = status
      timers.statusRepaint = timers.statusRepaint ?? .now + WindowTimers.statusPatience
    }
    if let delivery = inbox.delivery {
      settleSize()
      canvas.show(delivery.frame)
      needsPainting = true
      paint()
      publishPointer(now: .now)
      if isOver, failure != nil { exchange.update { [failure] in $0.failure = failure } }
      exchange.finish(delivery)
    }
    for task in inbox.tasks { task(self) }
    if inbox.isClosing { isOver = true }
  }

  private func end(with error: ScreenError) {
    guard !isOver else { return }
    (failure, isOver) = (error, true)
    exchange.update { $0.failure = error }
    onInput(.closed)
  }

  // MARK: Painting

  /// Paints if needed; a failure ends the window.
  private func paint() {
    do throws(ScreenError) {
      for _ in 0..<Self.attemptLimit where needsPainting {
        settleSize()
        needsPainting = try !present()
      }
      // Another change of size causes an event.
      needsPainting = false
      timers.statusRepaint = nil
    } catch {
      end(with: error)
    }
  }

  private func present() throws(ScreenError) -> Bool {
    var patches: [WindowCanvas.Patch] = []
    for box in overlays.boxes(size: area.size, scale: area.scale) {
      patches.append(canvas.draw(box))
    }
    defer { for patch in patches.reversed() { canvas.restore(patch) } }
    return try window.present(canvas)
  }

  /// Adopts the window's current size.
  private func settleSize() {
    let now = ScreenArea(size: window.size, scale: window.scale)
    guard now != area else { return }
    area = now
    canvas.resize(to: now.size)
    needsPainting = true
    publish()
    onInput(.areaChanged)
  }

  /// Handles all pending events, and paints.
  func settle() {
    handleEvents()
    if needsPainting, !isOver { paint() }
  }

  private func publish() {
    exchange.update { [area] in $0.area = area }
    publishPointer(now: .now)
  }

  // MARK: Events

  private func handleEvents() {
    while !isOver, let event = window.nextEvent() { handle(event, now: .now) }
  }

  func handle(_ event: WindowEvent, now: ContinuousClock.Instant) {
    switch event {
    case .key(let special, let isRepeat):
      timers.keyWasPressed(now: now)
      guard let command = keyboard.press(special, isRepeat: isRepeat) else { break }
      // As elsewhere, Esc first leaves full screen.
      perform(special == .escape && window.isFullScreen ? .toggleFullScreen : command)
    case .text(let text):
      timers.keyWasPressed(now: now)
      for command in keyboard.type(text) { perform(command) }
    case .resized: settleSize()
    case .exposed: needsPainting = true
    case .pointer(let x, let y):
      pointer = SIMD2(x, y)
      publishPointer(now: now)
    case .pointerLeft:
      pointer = nil
      publishPointer(now: now)
    case .doubleClick: perform(.toggleFullScreen)
    case .closed: onInput(.closed)
    case .lost: end(with: .connectionLost)
    }
  }

  private func perform(_ command: PreviewCommand) {
    switch command {
    case .toggleFullScreen: window.toggleFullScreen()
    case .toggleStatus: overlays.showsStatus.toggle()
    case .toggleHelp: overlays.showsHelp.toggle()
    default:
      onInput(.command(command))
      return
    }
    needsPainting = true
  }

  /// Publishes the pointer's position in the picture, now or when the interval allows.
  private func publishPointer(now: ContinuousClock.Instant) {
    let place = pointer.flatMap { canvas.fraction(at: $0) }
    guard place != exchange.outcome.pointer else { return }
    exchange.update { $0.pointer = place }
    if timers.pointerMoved(now: now) { onInput(.pointerMoved) }
  }

  /// Runs timers that are due.
  private func attend(now: ContinuousClock.Instant) {
    if timers.isTimeToTellPointer(now: now) { onInput(.pointerMoved) }
    if let time = timers.statusRepaint, time <= now { needsPainting = true }
    if overlays.removeOldMessages(now: now) { needsPainting = true }
    timers.messageEnd = overlays.messages.map(\.end).min()
  }
}

extension WindowCanvas {
  /// Returns the position of a window pixel in the picture, as fractions of its size; nil: outside.
  func fraction(at point: SIMD2<Double>) -> SIMD2<Double>? {
    guard let picture, picture.width > 0, picture.height > 0 else { return nil }
    let place =
      (point - SIMD2(Double(picture.x), Double(picture.y)))
      / SIMD2(Double(picture.width), Double(picture.height))
    return place.x >= 0 && place.x < 1 && place.y >= 0 && place.y < 1 ? place : nil
  }
}

/// The scheduled work of a window.
struct WindowTimers {
  typealias Instant = ContinuousClock.Instant

  /// A status is painted with the next picture, or after this time without one.
  static let statusPatience = Duration.milliseconds(100)
  /// Minimum interval between pointer reports: about 30 per second.
  static let pointerInterval = Duration.milliseconds(33)

  /// When to paint a waiting status.
  var statusRepaint: Instant?
  /// When the next message expires.
  var messageEnd: Instant?
  private var nextPointer: Instant?
  private var isPointerPending = false
  private var attentiveUntil: Instant?

  /// After a key press, SDL is polled often: Wayland's key repeats and input-method characters don't arrive on the
  /// connection.
  mutating func keyWasPressed(now: Instant) { attentiveUntil = now + .seconds(1) }

  /// Registers a pointer movement.
  /// - Returns: Whether to report it now.
  mutating func pointerMoved(now: Instant) -> Bool {
    isPointerPending = true
    return isTimeToTellPointer(now: now)
  }

  mutating func isTimeToTellPointer(now: Instant) -> Bool {
    guard isPointerPending, nextPointer.map({ $0 <= now }) ?? true else { return false }
    isPointerPending = false
    nextPointer = now + Self.pointerInterval
    return true
  }

  /// Returns milliseconds until the next timer, at most a second.
  /// - Parameter isPolled: Whether SDL must be polled for events.
  func wait(from now: Instant, isPolled: Bool) -> Int32 {
    var limit = Duration.seconds(1)
    if isPolled { limit = .milliseconds(10) }
    if let attentiveUntil, attentiveUntil > now { limit = min(limit, .milliseconds(20)) }
    for time in [statusRepaint, messageEnd, isPointerPending ? nextPointer : nil] {
      if let time { limit = min(limit, now.duration(to: time)) }
    }
    // Rounded up: otherwise the last millisecond would be spent polling.
    let milliseconds = Double(limit.components.seconds) * 1e3 + Double(limit.components.attoseconds) * 1e-15
    return Int32(max(milliseconds.rounded(.up), 0))
  }
}

/// Wakes one thread from others, while it also waits for a display connection.
final class WakeUp: Sendable {
  private let readEnd: Int32
  private let writeEnd: Int32

  init() throws(ScreenError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .noResources(reason: SystemCode.text(errno)) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    Glibc.close(readEnd)
    Glibc.close(writeEnd)
  }

  /// Wakes the thread, from any other thread. A full pipe wakes it, too.
  func signal() {
    var byte: UInt8 = 1
    unsafe Glibc.write(writeEnd, &byte, 1)
  }

  /// Waits for a signal, for data on the connection, or for a timeout.
  /// - Parameter connection: A file descriptor; nil: none.
  /// - Returns: Whether the connection was hung up.
  func wait(or connection: Int32?, milliseconds: Int32) -> Bool {
    var waited = [pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)]
    if let connection { waited.append(pollfd(fd: connection, events: Int16(POLLIN), revents: 0)) }
    let count = unsafe poll(&waited, nfds_t(waited.count), milliseconds)
    guard count > 0 else { return false }
    if waited[0].revents != 0 {
      var bytes: [UInt8] = Array(repeating: 0, count: 256)
      while unsafe read(readEnd, &bytes, bytes.count) == bytes.count {}
    }
    return waited.count > 1 && Int32(waited[1].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }
}

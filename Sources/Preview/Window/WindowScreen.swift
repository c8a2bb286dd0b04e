internal import Dispatch
public import Frames
internal import Glibc
public import Media
internal import Synchronization
internal import Threads

/// An SDL window on the desktop: unscaled pixels, with text over the picture. One can exist per process.
///
/// All SDL calls are made on one thread that belongs to the window.
public final class WindowScreen: PreviewScreen {
  /// Timeout in seconds for the display to open the window.
  static let openingLimit = 20
  /// Timeout in seconds for the display to close the window; its thread is then abandoned.
  static let closingLimit = 5

  private let title: String
  private let preferred: Size
  private let driver: String?
  private let exchange: WindowExchange
  private let threads = ThreadGroup()
  /// Signalled when the thread has ended.
  private let ended = DispatchSemaphore(value: 0)
  private let isRunning = Atomic(false)

  /// Creates a window, not yet open.
  /// - Parameters:
  ///   - title: The window title, such as the name of the device.
  ///   - preferred: Picture size in pixels, used as initial size; limited to 90 % of the display, with the same aspect,
  ///     and to at least 320x180 points.
  /// - Throws: `ScreenError.noResources`.
  public convenience init(title: String, preferred: Size) throws(ScreenError) {
    try self.init(title: title, preferred: preferred, driver: nil)
  }

  /// - Parameter driver: SDL's video driver; nil: the environment's.
  package init(title: String, preferred: Size, driver: String?) throws(ScreenError) {
    (self.title, self.preferred, self.driver) = (title, preferred, driver)
    exchange = try WindowExchange()
  }

  deinit { close() }

  /// Whether the environment specifies a display.
  public static var isDisplayAvailable: Bool { !SDLWindow.drivers.isEmpty }

  /// The failure that ended the window; nil: it is open, or was closed.
  public var fault: (any Failure)? { failure }

  /// The failure as `ScreenError`.
  public var failure: ScreenError? { exchange.outcome.failure }

  public var area: ScreenArea { exchange.outcome.area }
  public var layout: PixelLayout { exchange.outcome.layout }
  public var pointer: SIMD2<Double>? { exchange.outcome.pointer }

  /// Opens the window. May be called once.
  /// - Parameter onInput: Called on the window's thread; must not wait for `close()`.
  /// - Throws: `ScreenError`.
  public func open(onInput: @escaping @Sendable (ScreenInput) -> Void) throws {
    let drivers = driver.map { [$0] } ?? SDLWindow.drivers
    guard !drivers.isEmpty else { throw ScreenError.noDisplay }
    let opened = DispatchSemaphore(value: 0)
    isRunning.store(true, ordering: .releasing)
    do {
      try threads.start { [title, preferred, exchange, ended] in
        Self.run(title: title, preferred: preferred, drivers: drivers, exchange, onInput) {
          opened.signal()
        }
        opened.signal()
        ended.signal()
      }
    } catch {
      isRunning.store(false, ordering: .releasing)
      throw ScreenError.noResources(reason: "\(error)")
    }
    guard opened.wait(timeout: .now() + .seconds(Self.openingLimit)) == .success else {
      exchange.post { $0.isClosing = true }
      isRunning.store(false, ordering: .releasing)
      throw ScreenError.noAnswer(seconds: Self.openingLimit)
    }
    if let failure { throw failure }
  }

  private static func run(
    title: String, preferred: Size, drivers: [String?], _ exchange: WindowExchange,
    _ onInput: @escaping @Sendable (ScreenInput) -> Void, opened: () -> Void
  ) {
    // Otherwise writing to a lost display connection would end the process.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    do throws(ScreenError) {
      let window = try SDLWindow.open(title: title, preferred: preferred, drivers: drivers)
      WindowLoop(window: window, exchange: exchange, onInput: onInput).run(opened: opened)
    } catch {
      exchange.end(with: error)
    }
  }

  /// Shows a picture centred in the window; returns when the display has it.
  /// - Throws: `ScreenError` if the layout differs, or the window has ended.
  public func write(_ frame: CodedFrame) throws {
    guard frame.layout == layout else { throw ScreenError.wrongLayout(expected: layout, actual: frame.layout) }
    try exchange.deliver(frame)
  }

  /// Ignores everything but pictures.
  public func pass(_ data: any PassingData) {}

  public func interrupt() { exchange.interrupt() }

  public func show(_ status: PreviewStatus) { exchange.post { $0.status = status } }

  public func say(_ message: String) { exchange.post { $0.messages.append(message) } }

  /// Closes the window; has no effect if it is closed. Must not be called from the window's thread.
  public func close() {
    exchange.post { $0.isClosing = true }
    exchange.interrupt()
    guard isRunning.exchange(false, ordering: .acquiringAndReleasing) else { return }
    _ = ended.wait(timeout: .now() + .seconds(Self.closingLimit))
  }

  /// Simulates user input.
  package func send(_ event: WindowEvent) {
    exchange.post { $0.tasks.append { loop in loop.handle(event, now: .now) } }
  }

  /// Resizes the window, as a user would.
  /// - Parameter size: Size in pixels.
  package func resize(to size: Size) {
    exchange.post { $0.tasks.append { loop in loop.window.resize(to: size) } }
  }

  /// Returns the visible pixels, row by row, after all earlier requests have been handled; nil: not available.
  package func presentedPixels() -> (pixels: [UInt32], size: Size, format: PackedFormat)? {
    let answer = Mutex<(pixels: [UInt32], size: Size, format: PackedFormat)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    guard !exchange.outcome.isOver else { return nil }
    exchange.post {
      $0.tasks.append { loop in
        loop.settle()
        let pixels = loop.window.presentedPixels()
        answer.withLock { $0 = pixels.map { ($0, loop.window.size, loop.window.format) } }
        isDone.signal()
      }
    }
    while isDone.wait(timeout: .now() + .milliseconds(100)) == .timedOut, !exchange.outcome.isOver {
    }
    return answer.withLock { $0 }
  }
}

/// The exchange between the window's thread and all others.
final class WindowExchange: Sendable {
  /// A picture on its way into the window.
  final class Delivery: Sendable {
    let frame: CodedFrame
    /// Signalled when presented, or no longer awaited.
    let isOver = DispatchSemaphore(value: 0)

    init(_ frame: CodedFrame) { self.frame = frame }
  }

  /// From other threads to the window's thread, which takes it as a whole.
  struct Inbox: Sendable {
    var delivery: Delivery?
    var status: PreviewStatus?
    var messages: [String] = []
    var tasks: [@Sendable (WindowLoop) -> Void] = []
    var isClosing = false
  }

  /// From the window's thread to others.
  struct Outcome: Sendable {
    var area = ScreenArea(size: Size(width: 1, height: 1))
    var layout = PackedFormat.xrgb8.layout
    var pointer: SIMD2<Double>?
    var failure: ScreenError?
    /// No more pictures are accepted.
    var isOver = false
  }

  private struct State {
    var inbox = Inbox()
    var outcome = Outcome()
    /// The picture being waited for, taken or not.
    var awaited: Delivery?
    var isInterrupted = false
  }

  /// Maximum number of messages queued for the window's thread; older ones are dropped.
  private static let messageLimit = 16

  private let state = Mutex(State())
  let wakeUp: WakeUp

  init() throws(ScreenError) { wakeUp = try WakeUp() }

  var outcome: Outcome { state.withLock { $0.outcome } }

  // MARK: Other threads

  /// Hands a picture over and waits until it is presented, or waiting is interrupted.
  func deliver(_ frame: CodedFrame) throws(ScreenError) {
    let delivery = Delivery(frame)
    let isTaken = state.withLock { state in
      guard !state.isInterrupted, !state.inbox.isClosing, !state.outcome.isOver else { return false }
      state.inbox.delivery = delivery
      state.awaited = delivery
      return true
    }
    if isTaken {
      wakeUp.signal()
      delivery.isOver.wait()
    }
    if let failure = outcome.failure { throw failure }
  }

  /// Adds to the inbox of the window's thread.
  func post(_ change: (inout Inbox) -> Void) {
    state.withLock { state in
      change(&state.inbox)
      state.inbox.messages.removeFirst(max(state.inbox.messages.count - Self.messageLimit, 0))
    }
    wakeUp.signal()
  }

  /// Stops all waiting for pictures, including the current one.
  func interrupt() {
    state.withLock { state in
      state.isInterrupted = true
      return state.awaited.take()
    }?.isOver.signal()
  }

  // MARK: The window's thread

  /// Takes the inbox; only the closing flag remains set.
  func take() -> Inbox {
    state.withLock { state in
      let inbox = state.inbox
      state.inbox = Inbox(isClosing: inbox.isClosing)
      return inbox
    }
  }

  func update(_ change: (inout Outcome) -> Void) { state.withLock { change(&$0.outcome) } }

  /// Marks a picture as presented.
  func finish(_ delivery: Delivery) {
    state.withLock { state in if state.awaited === delivery { state.awaited = nil } }
    delivery.isOver.signal()
  }

  /// Marks the window as closed.
  func end(with failure: ScreenError?) {
    state.withLock { state in
      state.outcome.isOver = true
      state.outcome.failure = failure
      state.outcome.pointer = nil
      state.inbox.tasks = []
      return state.awaited.take()
    }?.isOver.signal()
  }
}

/// A reason why a window cannot show pictures.
public enum ScreenError: Failure, Sendable, Hashable {
  /// The process has no desktop session.
  case noDisplay
  /// All methods of opening a window failed: SDL's reason.
  case cannotOpen(reason: String)
  /// The display has not responded.
  case noAnswer(seconds: Int)
  /// The process already has a window, or one that could not be closed.
  case isInUse
  /// The window accepts no more pictures: SDL's reason.
  case cannotPresent(reason: String)
  /// The X server or compositor has exited, or closed the connection.
  case connectionLost
  /// A picture's layout is not the screen's.
  case wrongLayout(expected: PixelLayout, actual: PixelLayout)
  /// The system is out of threads or file descriptors: its error.
  case noResources(reason: String)

  public var kind: FailureKind {
    switch self {
    case .noDisplay, .wrongLayout: .invalidRequest
    case .isInUse, .noAnswer, .noResources: .temporary
    case .cannotOpen, .cannotPresent, .connectionLost: .failed
    }
  }

  public var description: String {
    switch self {
    case .noDisplay:
      "There is no display for a window (neither DISPLAY nor WAYLAND_DISPLAY is set): run this in a desktop session, or "
        + "have the picture shown in the terminal."
    case .cannotOpen(let reason):
      "The window cannot be opened (\(reason)): check that DISPLAY or WAYLAND_DISPLAY names a display that is running, or "
        + "have the picture shown in the terminal."
    case .noAnswer(let seconds):
      "The display has not answered for \(seconds) s: check that it is running."
    case .isInUse: "This process has a window already: close it first."
    case .cannotPresent(let reason):
      "The window takes no more pictures (\(reason)): close it and start again."
    case .connectionLost:
      "The connection to the display was lost: the desktop session has ended or has closed the window. Start again in a "
        + "session that is running."
    case .wrongLayout(let expected, let actual):
      "The window shows pictures of \(expected.components.rawValue) with \(expected.bitDepth) bits; this one has "
        + "\(actual.components.rawValue) with \(actual.bitDepth) bits."
    case .noResources(let reason): "The window cannot be opened: \(reason)."
    }
  }
}

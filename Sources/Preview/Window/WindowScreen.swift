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
    guard frame.layout == layout else {
      throw ScreenError.wrongLayout(expected: layout, actual: frame.layout)
    }
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
}

extension WindowScreen {
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

internal import Dispatch
public import Frames
internal import Glibc
public import Media
internal import Synchronization
internal import Threads

/// A window on the desktop, by SDL: pixel for pixel, with text over the picture. There can be one in a process.
///
/// Everything of SDL happens on one thread that belongs to the window.
public final class WindowScreen: PreviewScreen {
  /// Seconds that a display has to open the window.
  static let openingLimit = 20
  /// Seconds that a display has to take the window away, before its thread is left to itself.
  static let closingLimit = 5

  private let title: String
  private let preferred: Size
  private let driver: String?
  private let exchange: WindowExchange
  private let threads = ThreadGroup()
  /// The thread has ended.
  private let ended = DispatchSemaphore(value: 0)
  private let isRunning = Atomic(false)

  /// A window that is still to be opened.
  /// - Parameters:
  ///   - title: What the window is called, such as the name of the device.
  ///   - preferred: Size of the picture in pixels. The window begins with it, or with its aspect and 90 % of the display where it
  ///     is larger, and never with less than 320x180 points.
  /// - Throws: `ScreenError.noResources`.
  public convenience init(title: String, preferred: Size) throws(ScreenError) {
    try self.init(title: title, preferred: preferred, driver: nil)
  }

  /// - Parameter driver: SDL's name of the way to show windows; nil: the environment's.
  package init(title: String, preferred: Size, driver: String?) throws(ScreenError) {
    (self.title, self.preferred, self.driver) = (title, preferred, driver)
    exchange = try WindowExchange()
  }

  deinit { close() }

  /// Whether the environment names a display.
  public static var isDisplayAvailable: Bool { !SDLWindow.drivers.isEmpty }

  /// Why the window has ended; nil: it hasn't, or was closed.
  public var fault: (any Failure)? { failure }

  /// The same, as its own error.
  public var failure: ScreenError? { exchange.outcome.failure }

  public var area: ScreenArea { exchange.outcome.area }
  public var layout: PixelLayout { exchange.outcome.layout }
  public var pointer: SIMD2<Double>? { exchange.outcome.pointer }

  /// Opens the window. Not called twice.
  /// - Parameter onInput: Is called on the window's thread, which must not wait for `close()`.
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
    // Writing to a display that has gone would end the process.
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

  /// Shows a picture in the middle of the window, and returns when it is with the display.
  /// - Throws: `ScreenError`, if it has another layout, or the window has ended by itself.
  public func write(_ frame: CodedFrame) throws {
    guard frame.layout == layout else {
      throw ScreenError.wrongLayout(expected: layout, actual: frame.layout)
    }
    try exchange.deliver(frame)
  }

  /// A window shows pictures only.
  public func pass(_ data: any PassingData) {}

  public func interrupt() { exchange.interrupt() }

  public func show(_ status: PreviewStatus) { exchange.post { $0.status = status } }

  public func say(_ message: String) { exchange.post { $0.messages.append(message) } }

  /// Closes the window; once it is closed, nothing happens. Not from the window's own thread.
  public func close() {
    exchange.post { $0.isClosing = true }
    exchange.interrupt()
    guard isRunning.exchange(false, ordering: .acquiringAndReleasing) else { return }
    _ = ended.wait(timeout: .now() + .seconds(Self.closingLimit))
  }
}

extension WindowScreen {
  /// Acts as if a person had done something.
  package func send(_ event: WindowEvent) {
    exchange.post { $0.tasks.append { loop in loop.handle(event, now: .now) } }
  }

  /// Resizes the window, as a person would.
  /// - Parameter size: In pixels.
  package func resize(to size: Size) {
    exchange.post { $0.tasks.append { loop in loop.window.resize(to: size) } }
  }

  /// What the window shows, row by row, once everything has happened that was asked for before; nil: that is not known.
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

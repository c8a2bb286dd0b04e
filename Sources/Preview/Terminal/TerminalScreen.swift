public import Frames
internal import Glibc
public import Media
internal import Synchronization

/// A preview in a terminal: images where it shows any, and half cells elsewhere.
///
/// Keys are read from the same terminal, and the last row is the status line. What a terminal cannot take at the rate of the pictures makes
/// `write` wait.
public final class TerminalScreen: PreviewScreen {
  /// How pictures are shown.
  public enum Graphics: String, Sendable, Hashable, CaseIterable {
    /// Two pixels in a cell, as character and background in 24-bit colour.
    case halfBlocks
    /// DEC's sixels, in 256 colours.
    case sixel
    /// kitty's graphics protocol: the exact pixels.
    case kitty
  }

  private struct State {
    var session: TerminalSession?
    var note: String?
  }

  private let asked: Graphics?
  private let descriptor: Int32?
  private let environment: TerminalEnvironment
  private let patience: Duration
  private let state = Mutex(State())

  /// Nothing is opened yet.
  /// - Parameters:
  ///   - graphics: How pictures are shown; nil: the terminal is asked.
  ///   - descriptor: Of the terminal, which is opened again; nil: standard output if that is a terminal, else the one that controls the process.
  public convenience init(graphics: Graphics? = nil, descriptor: Int32? = nil) {
    self.init(graphics: graphics, descriptor: descriptor, environment: .current, patience: .milliseconds(300))
  }

  /// - Parameters:
  ///   - environment: What the environment says of the terminal.
  ///   - patience: After which a terminal is taken not to answer.
  package init(graphics: Graphics?, descriptor: Int32?, environment: TerminalEnvironment, patience: Duration) {
    (asked, self.descriptor, self.environment, self.patience) = (graphics, descriptor, environment, patience)
  }

  deinit { take()?.end() }

  /// How pictures are shown; nil while the screen is not open.
  public var graphics: Graphics? { session?.graphics }

  /// Why pictures may look worse than they could; nil: no reason is known.
  public var note: String? { state.withLock { $0.note } }

  public var area: ScreenArea {
    session?.area ?? TerminalGeometry(columns: 0, rows: 0).area(for: asked ?? .halfBlocks)
  }

  public var layout: PixelLayout { PixelLayout(.rgb, bitDepth: 8) }

  /// A terminal has none.
  public var pointer: SIMD2<Double>? { nil }

  /// Opens the terminal, asks it what it shows, and switches to its alternate screen.
  /// - Parameter onInput: Gets what a person does, on the screen's thread; it must return quickly.
  /// - Throws: `TerminalError`, or `ThreadError`.
  public func open(onInput: @escaping @Sendable (ScreenInput) -> Void) throws {
    take()?.end()
    if environment.isDumb { throw TerminalError.isDumb(type: environment.type) }
    let device = try TerminalDevice(descriptor)
    // Without automatic margins, a terminal that has just become smaller does not scroll.
    let beginning = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J".utf8)
    guard try device.send(beginning, patience: .seconds(2)) == beginning.count else { throw TerminalError.isGone }
    let answers = try TerminalQuery.ask(device, device.geometry, patience: patience)
    let cell = device.geometry.cell ?? answers.cell
    let graphics = asked ?? answers.best(isCellKnown: cell != nil)
    let note = environment.note(graphics, answers, isCellKnown: cell != nil)
    let session = try TerminalSession(device, graphics, answers, onInput: onInput)
    state.withLock { $0 = State(session: session, note: note) }
  }

  /// Shows a picture. Returns when all of it has been handed to the terminal.
  public func write(_ frame: CodedFrame) throws {
    guard let session else { throw TerminalError.isNotOpen }
    try session.write(frame)
  }

  /// Nothing but pictures is shown.
  public func pass(_ data: any PassingData) {}

  public func interrupt() { session?.interrupt() }

  public func show(_ status: PreviewStatus) { session?.show(status) }

  public func say(_ message: String) { session?.say(message) }

  public func close() { take()?.end() }

  /// Gives back all terminals that are open, with calls that a signal handler may make. Nothing is drawn afterwards.
  public static func restoreAll() { TerminalRestoration.restoreAll() }

  private var session: TerminalSession? { state.withLock { $0.session } }

  private func take() -> TerminalSession? {
    state.withLock { state in
      defer { state.session = nil }
      return state.session
    }
  }
}

extension TerminalQuery.Answers {
  /// The best that a terminal has said that it shows. Sixels go by pixels, so they need to know those of a cell.
  fileprivate func best(isCellKnown: Bool) -> TerminalScreen.Graphics {
    hasKittyGraphics ? .kitty : hasSixel && isCellKnown ? .sixel : .halfBlocks
  }
}

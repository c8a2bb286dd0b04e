public import Frames
internal import Glibc
public import Media
internal import Synchronization

/// A preview in a terminal: images if supported, otherwise half cells.
///
/// Keys are read from the same terminal, and the last row is the status line. `write` blocks while the terminal cannot
/// keep up.
public final class TerminalScreen: PreviewScreen {
  /// A method of showing pictures.
  public enum Graphics: String, Sendable, Hashable, CaseIterable {
    /// Two pixels per cell, as foreground and background in 24-bit colour.
    case halfBlocks
    /// DEC sixels, in 256 colours.
    case sixel
    /// kitty's graphics protocol, with exact pixels.
    case kitty
  }

  private struct State {
    var session: TerminalSession?
    var note: String?
  }

  private let requested: Graphics?
  private let descriptor: Int32?
  private let environment: TerminalEnvironment
  private let timeout: Duration
  private let state = Mutex(State())

  /// Creates a screen, not yet open.
  /// - Parameters:
  ///   - graphics: The graphics to use; nil: the best that the terminal reports.
  ///   - descriptor: A descriptor of the terminal, which is reopened; nil: standard output if it is a terminal,
  ///     otherwise the controlling terminal.
  public convenience init(graphics: Graphics? = nil, descriptor: Int32? = nil) {
    self.init(graphics: graphics, descriptor: descriptor, environment: .current, timeout: .milliseconds(300))
  }

  package init(graphics: Graphics?, descriptor: Int32?, environment: TerminalEnvironment, timeout: Duration) {
    (requested, self.descriptor, self.environment, self.timeout) = (graphics, descriptor, environment, timeout)
  }

  deinit { take()?.end() }

  /// The graphics in use; nil while the screen is not open.
  public var graphics: Graphics? { session?.graphics }

  /// The reason for limited picture quality; nil: none known.
  public var note: String? { state.withLock { $0.note } }

  public var area: ScreenArea {
    session?.area ?? TerminalGeometry(columns: 0, rows: 0).area(for: requested ?? .halfBlocks)
  }

  public var layout: PixelLayout { PixelLayout(.rgb, bitDepth: 8) }

  /// Terminals have no pointer.
  public var pointer: SIMD2<Double>? { nil }

  /// Opens the terminal, queries its capabilities, and switches to its alternate screen.
  /// - Parameter onInput: Receives user input, on the screen's thread; must return quickly.
  /// - Throws: `TerminalError`, or `ThreadError`.
  public func open(onInput: @escaping @Sendable (ScreenInput) -> Void) throws {
    take()?.end()
    if environment.isDumb { throw TerminalError.isDumb(type: environment.type) }
    let device = try TerminalDevice(descriptor)
    // Without automatic margins, a terminal that has just shrunk does not scroll.
    let beginning = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J".utf8)
    guard try device.send(beginning, timeout: .seconds(2)) == beginning.count else { throw TerminalError.isGone }
    let answers = try TerminalQuery.send(device, device.geometry, timeout: timeout)
    let cell = device.geometry.cell ?? answers.cell
    let graphics = requested ?? answers.best(isCellKnown: cell != nil)
    let note = environment.note(graphics, answers, isCellKnown: cell != nil)
    let session = try TerminalSession(device, graphics, answers, onInput: onInput)
    state.withLock { $0 = State(session: session, note: note) }
  }

  /// Shows a picture. Returns when it has been sent completely.
  public func write(_ frame: CodedFrame) throws {
    guard let session else { throw TerminalError.isNotOpen }
    try session.write(frame)
  }

  /// Ignores everything but pictures.
  public func pass(_ data: any PassingData) {}

  public func interrupt() { session?.interrupt() }

  public func show(_ status: PreviewStatus) { session?.show(status) }

  public func say(_ message: String) { session?.say(message) }

  public func close() { take()?.end() }

  /// Restores all open terminals, with async-signal-safe calls. Nothing is drawn afterwards.
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
  /// Returns the best graphics that the terminal reports. Sixels require the cell size in pixels.
  fileprivate func best(isCellKnown: Bool) -> TerminalScreen.Graphics {
    hasKittyGraphics ? .kitty : hasSixel && isCellKnown ? .sixel : .halfBlocks
  }
}

/// A reason why a terminal cannot show pictures.
public enum TerminalError: Failure, Sendable, Hashable {
  /// There is no terminal, or it cannot be opened: an `errno` value.
  case noTerminal(code: Int32)
  /// The terminal cannot position its cursor: the value of TERM.
  case isDumb(type: String)
  /// A request to the terminal driver failed: an `errno` value.
  case requestFailed(request: String, code: Int32)
  /// The screen is not open.
  case isNotOpen
  /// The frame's layout is not the screen's.
  case wrongLayout
  /// libsixel cannot encode the picture: its status code.
  case cannotEncode(status: Int32)
  /// The terminal was closed, or its connection lost.
  case isGone

  public var kind: FailureKind {
    switch self {
    case .noTerminal, .isDumb: .invalidRequest
    default: .failed
    }
  }

  public var description: String {
    switch self {
    case .noTerminal(let code): "There is no terminal to draw on (\(SystemCode.text(code)))."
    case .isDumb(let type):
      "The terminal cannot place its cursor (TERM is '\(type)'), so it cannot show pictures: set TERM to its real type."
    case .requestFailed(let request, let code): "The terminal refuses \(request): \(SystemCode.text(code))."
    case .isNotOpen: "The terminal is not open."
    case .wrongLayout: "The terminal takes planar R'G'B' of 8 bits only."
    case .cannotEncode(let status): "libsixel cannot encode the picture (status \(status))."
    case .isGone: "The terminal was closed."
    }
  }
}

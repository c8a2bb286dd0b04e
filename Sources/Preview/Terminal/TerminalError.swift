public import Media

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

public import Media

/// Why a terminal cannot show pictures.
public enum TerminalError: Failure, Sendable, Hashable {
  /// There is no terminal, or it cannot be opened: a value of `errno`.
  case noTerminal(code: Int32)
  /// It cannot place its cursor: what TERM says.
  case isDumb(type: String)
  /// A request to its driver failed: a value of `errno`.
  case requestFailed(request: String, code: Int32)
  /// The screen is not open.
  case isNotOpen
  /// The frame has another layout than the screen takes.
  case wrongLayout
  /// libsixel cannot encode the picture: its status.
  case cannotEncode(status: Int32)
  /// It was closed, or its connection broke.
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

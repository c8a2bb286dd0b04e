public import Frames
public import Media

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

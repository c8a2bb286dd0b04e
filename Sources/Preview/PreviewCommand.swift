/// A command that a key triggers.
public enum PreviewCommand: String, Sendable, Hashable, CaseIterable {
  /// Ends the preview.
  case quit
  /// Pauses and resumes; shows the next picture while paused.
  case togglePause, step
  /// Selects the tone curve.
  case nextCurve, previousCurve
  /// Changes the headroom by a quarter stop.
  case raiseHeadroom, lowerHeadroom
  /// Changes the exposure by a quarter stop.
  case raiseExposure, lowerExposure
  /// Toggles clipping at SDR white.
  case toggleEDR
  /// Changes SDR white by a tenth.
  case raiseSDRWhite, lowerSDRWhite
  /// Toggles filters and scopes.
  case toggleHighlight, toggleFalseColor, toggleClipWarning, nextScopes
  /// Undoes all changes to the picture made with keys.
  case resetView
  /// Saves a snapshot, or records video.
  case snapshot, toggleRecording
  /// Changes the screen.
  case toggleFullScreen, toggleStatus, toggleHelp
}

/// A key binding, with its help text.
public struct PreviewKey: Sendable, Hashable {
  /// A key that types no character.
  public enum Special: String, Sendable, Hashable {
    /// Keys by their label in help.
    case escape = "Esc", space = "Space", left = "←", right = "→", up = "↑", down = "↓", f11 = "F11"
  }

  /// A key press.
  public enum Press: Sendable, Hashable {
    /// A printable character as typed: "T" is Shift-t.
    case character(Character)
    /// A key that types no character.
    case special(Special)

    /// The label in help.
    public var label: String {
      switch self {
      case .character(let character): String(character)
      case .special(let key): key.rawValue
      }
    }
  }

  /// The equivalent keys, the one to show first in help first.
  public let presses: [Press]
  /// The command.
  public let command: PreviewCommand
  /// A short description.
  public let help: String

  private init(_ command: PreviewCommand, _ presses: [Press], _ help: String) {
    (self.command, self.presses, self.help) = (command, presses, help)
  }

  /// All bindings, in help order.
  public static let all: [PreviewKey] = [
    PreviewKey(.nextCurve, [.character("t")], "next tone curve"),
    PreviewKey(.previousCurve, [.character("T")], "previous tone curve"),
    PreviewKey(.raiseHeadroom, [.character("]"), .special(.right)], "headroom up by a quarter stop"),
    PreviewKey(.lowerHeadroom, [.character("["), .special(.left)], "headroom down by a quarter stop"),
    PreviewKey(.raiseExposure, [.character("+"), .character("="), .special(.up)], "exposure up by a quarter stop"),
    PreviewKey(.lowerExposure, [.character("-"), .special(.down)], "exposure down by a quarter stop"),
    PreviewKey(.toggleEDR, [.character("e")], "EDR off (clipped at SDR white) and on"),
    PreviewKey(.raiseSDRWhite, [.character("W")], "SDR white up by a tenth"),
    PreviewKey(.lowerSDRWhite, [.character("w")], "SDR white down by a tenth"),
    PreviewKey(.toggleHighlight, [.character("h")], "wide-colour highlight"),
    PreviewKey(.toggleFalseColor, [.character("c")], "false colour"),
    PreviewKey(.toggleClipWarning, [.character("x")], "clip warning"),
    PreviewKey(.nextScopes, [.character("v")], "next scope, or none"),
    PreviewKey(.resetView, [.character("0")], "everything as it was at the start"),
    PreviewKey(.togglePause, [.special(.space), .character("p")], "pause and resume"),
    PreviewKey(.step, [.character(".")], "one frame further while paused"),
    PreviewKey(.snapshot, [.character("s")], "snapshot: PNG as shown, OpenEXR of the light"),
    PreviewKey(.toggleRecording, [.character("r")], "recording on and off"),
    PreviewKey(.toggleFullScreen, [.character("f"), .special(.f11)], "full screen"),
    PreviewKey(.toggleStatus, [.character("i")], "status line on and off"),
    PreviewKey(.toggleHelp, [.character("?")], "this help"),
    PreviewKey(.quit, [.character("q"), .special(.escape)], "quit; Esc leaves full screen first"),
  ]

  /// Returns the command of a key; nil: none.
  public static func command(for press: Press) -> PreviewCommand? {
    all.first { $0.presses.contains(press) }?.command
  }
}

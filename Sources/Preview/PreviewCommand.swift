/// What a key asks for.
public enum PreviewCommand: String, Sendable, Hashable, CaseIterable {
  /// Ends the preview.
  case quit
  /// Stops at the picture on screen and goes on; shows one more while it is stopped.
  case togglePause, step
  /// Chooses the tone curve.
  case nextCurve, previousCurve
  /// Changes the headroom, by a quarter stop.
  case raiseHeadroom, lowerHeadroom
  /// Changes the exposure, by a quarter stop.
  case raiseExposure, lowerExposure
  /// Clips light at SDR white, or shows it again.
  case toggleEDR
  /// Changes SDR white, by a tenth.
  case raiseSDRWhite, lowerSDRWhite
  /// Shows filters and scopes, or leaves them out.
  case toggleHighlight, toggleFalseColor, toggleClipWarning, nextScopes
  /// Undoes what keys have changed about the picture.
  case resetView
  /// Writes pictures, or video.
  case snapshot, toggleRecording
  /// Changes the screen itself.
  case toggleFullScreen, toggleStatus, toggleHelp
}

/// A key, what it stands for, and how help describes it.
public struct PreviewKey: Sendable, Hashable {
  /// A key without a character of its own.
  public enum Special: String, Sendable, Hashable {
    /// By the label that help shows.
    case escape = "Esc", space = "Space", left = "←", right = "→", up = "↑", down = "↓", f11 = "F11"
  }

  /// What is pressed.
  public enum Press: Sendable, Hashable {
    /// A printable character as it is typed: "T" is Shift and t.
    case character(Character)
    /// A key without one.
    case special(Special)

    /// As help shows it.
    public var label: String {
      switch self {
      case .character(let character): String(character)
      case .special(let key): key.rawValue
      }
    }
  }

  /// The keys that do the same, the one that help names first first.
  public let presses: [Press]
  /// What they ask for.
  public let command: PreviewCommand
  /// What they do, in a few words.
  public let help: String

  private init(_ command: PreviewCommand, _ presses: [Press], _ help: String) {
    (self.command, self.presses, self.help) = (command, presses, help)
  }

  /// All keys, in the order of help.
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

  /// What a key stands for; nil: nothing.
  public static func command(for press: Press) -> PreviewCommand? {
    all.first { $0.presses.contains(press) }?.command
  }
}

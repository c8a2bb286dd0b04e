internal import Glibc

/// The environment variables that describe the terminal.
package struct TerminalEnvironment: Sendable {
  /// TERM.
  let type: String
  /// COLORTERM.
  let color: String

  /// - Parameters:
  ///   - type: TERM.
  ///   - color: COLORTERM.
  package init(type: String, color: String) { (self.type, self.color) = (type, color) }

  /// The environment of the process.
  static var current: TerminalEnvironment {
    func value(_ name: String) -> String { unsafe getenv(name).map { unsafe String(cString: $0) } ?? "" }
    return TerminalEnvironment(type: value("TERM"), color: value("COLORTERM"))
  }

  /// The terminal cannot position its cursor.
  var isDumb: Bool { type.isEmpty || type == "dumb" }

  /// Terminal types with 24-bit colour.
  private static let typesOfTrueColor = [
    "alacritty", "contour", "direct", "foot", "ghostty", "iterm", "kitty", "mintty", "mlterm", "truecolor", "wezterm",
  ]

  private var isTrueColor: Bool {
    ["truecolor", "24bit"].contains(color.lowercased()) || Self.typesOfTrueColor.contains { type.contains($0) }
  }

  /// Returns why picture quality is limited; nil: no known reason.
  /// - Parameters:
  ///   - graphics: The graphics in use.
  ///   - answers: The terminal's replies.
  ///   - isCellKnown: Whether the cell size in pixels is known.
  func note(_ graphics: TerminalScreen.Graphics, _ answers: TerminalQuery.Answers, isCellKnown: Bool) -> String? {
    switch graphics {
    case .halfBlocks where !isTrueColor:
      "The terminal does not say that it shows 24-bit colours (COLORTERM=truecolor); others round them."
    case .halfBlocks: isCellKnown ? nil : "The shape of the terminal's cells is not known, so they are taken to be 1:2."
    case .sixel where !answers.hasSixel: "The terminal does not say that it shows sixels."
    case .kitty where !answers.hasKittyGraphics: "The terminal does not say that it shows kitty's images."
    case .sixel, .kitty: isCellKnown ? nil : "The size of the terminal's cells is not known, so pictures are small."
    }
  }
}

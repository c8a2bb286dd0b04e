internal import Glibc

/// What the environment says of the terminal.
package struct TerminalEnvironment: Sendable {
  /// TERM.
  let type: String
  /// COLORTERM.
  let color: String

  /// - Parameters:
  ///   - type: TERM.
  ///   - color: COLORTERM.
  package init(type: String, color: String) { (self.type, self.color) = (type, color) }

  /// That of the process.
  static var current: TerminalEnvironment {
    func value(_ name: String) -> String { unsafe getenv(name).map { unsafe String(cString: $0) } ?? "" }
    return TerminalEnvironment(type: value("TERM"), color: value("COLORTERM"))
  }

  /// The terminal cannot place its cursor.
  var isDumb: Bool { type.isEmpty || type == "dumb" }

  /// Types that are known to show 24-bit colours.
  private static let typesOfTrueColor = [
    "alacritty", "contour", "direct", "foot", "ghostty", "iterm", "kitty", "mintty", "mlterm", "truecolor", "wezterm",
  ]

  private var isTrueColor: Bool {
    ["truecolor", "24bit"].contains(color.lowercased()) || Self.typesOfTrueColor.contains { type.contains($0) }
  }

  /// Why pictures may look worse than they could.
  /// - Parameters:
  ///   - graphics: How they are shown.
  ///   - answers: What the terminal has answered.
  ///   - isCellKnown: Whether the pixels of a cell are known.
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

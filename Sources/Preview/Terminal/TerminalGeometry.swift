internal import Frames
internal import Glibc

/// Size of a terminal in cells, and of a cell in pixels.
struct TerminalGeometry: Hashable {
  /// Cells in a row.
  let columns: Int
  /// Rows, including the status line.
  let rows: Int
  /// Cell size in pixels, 1 to 256 per dimension; nil: unknown.
  var cell: Size?

  /// Maximum size in use, which limits memory; larger terminals are used partly.
  private static let limit = (columns: 2048, rows: 1024)
  /// Maximum picture size: 8K.
  private static let mostPixels = Size(width: 7680, height: 4320)
  /// Assumed cell size if the terminal does not report it: smaller than on most, so that pictures fit.
  static let assumedCell = Size(width: 6, height: 12)

  /// - Parameter pixels: Total size in pixels; zeros are unknown, as for columns and rows.
  init(columns: Int, rows: Int, pixels: Size = Size(width: 0, height: 0)) {
    let (wide, high) = (columns > 0 ? columns : 80, rows > 0 ? rows : 24)
    self.columns = min(wide, Self.limit.columns)
    self.rows = min(high, Self.limit.rows)
    cell = Self.cell(width: pixels.width / wide, height: pixels.height / high)
  }

  /// Returns a cell size, if it is plausible.
  static func cell(width: Int, height: Int) -> Size? {
    (1...256).contains(width) && (1...256).contains(height) ? Size(width: width, height: height) : nil
  }

  /// Rows for pictures: all but the status line.
  var pictureRows: Int { max(rows - 1, 1) }

  /// Returns the area available for pictures.
  func area(for graphics: TerminalScreen.Graphics) -> ScreenArea {
    switch graphics {
    case .halfBlocks:
      let aspect = cell.map { 2 * Double($0.width) / Double($0.height) } ?? 1
      return ScreenArea(size: Size(width: columns, height: 2 * pictureRows), pixelAspect: aspect)
    case .sixel, .kitty:
      let cell = cell ?? Self.assumedCell
      return ScreenArea(
        size: Size(
          width: min(columns * cell.width, Self.mostPixels.width),
          height: min(pictureRows * cell.height, Self.mostPixels.height)))
    }
  }

  /// Returns the centred position of a picture.
  func place(_ size: Size, cell: Size) -> Place {
    let wide = min((size.width + cell.width - 1) / cell.width, columns)
    let high = min((size.height + cell.height - 1) / cell.height, pictureRows)
    let (column, row) = ((columns - wide) / 2, (pictureRows - high) / 2)
    return Place(rows: row..<row + high, columns: column..<column + wide)
  }

  /// The cells that a picture covers.
  struct Place: Hashable {
    let rows: Range<Int>
    let columns: Range<Int>
  }
}

/// The environment variables that describe the terminal.
package struct TerminalEnvironment: Sendable {
  /// TERM.
  let type: String
  /// COLORTERM.
  let color: String

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

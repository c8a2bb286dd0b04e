/// The cells of a terminal: current and wanted content.
struct TerminalCanvas {
  let columns: Int
  let rows: Int
  /// The picture, row by row, below all text.
  var picture: [TerminalCell]
  private var shown: [TerminalCell]
  private var wanted: [TerminalCell] = []

  /// Creates a canvas for a terminal with unknown content.
  init(_ geometry: TerminalGeometry) {
    (columns, rows) = (geometry.columns, geometry.rows)
    picture = Array(repeating: .blank, count: columns * rows)
    shown = Array(repeating: .unknown, count: columns * rows)
  }

  /// Removes the picture.
  mutating func clearPicture() {
    for index in picture.indices { picture[index] = .blank }
  }

  /// Records that the terminal has been erased.
  mutating func erase() {
    clearPicture()
    for index in shown.indices { shown[index] = .blank }
  }

  /// Records that an image covers cells and the text in them.
  mutating func cover(_ place: TerminalGeometry.Place) {
    for row in place.rows {
      for column in place.columns {
        shown[row * columns + column] = .image
        picture[row * columns + column] = .image
      }
    }
  }

  /// Appends the output that shows the picture with `texts` over it, for changed cells only.
  mutating func render(_ texts: [TerminalText], into output: inout TerminalOutput) {
    wanted = picture
    for text in texts where (0..<rows).contains(text.row) { place(text) }
    output.beginCells()
    for row in 0..<rows {
      for column in 0..<columns {
        let index = row * columns + column
        guard wanted[index] != shown[index] else { continue }
        shown[index] = wanted[index]
        // Text over an image stays until the image is drawn again.
        if wanted[index] == .image { continue }
        output.append(wanted[index], row: row, column: column)
      }
    }
  }

  private mutating func place(_ text: TerminalText) {
    for (offset, scalar) in text.text.unicodeScalars.enumerated() {
      let column = text.column + offset
      guard column < columns else { break }
      guard column >= 0 else { continue }
      // A terminal would execute a control character, and give a format character no cell.
      let isShown = ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory)
      let glyph = isShown ? scalar.value : 0x20
      wanted[text.row * columns + column] = TerminalCell(
        glyph: glyph, foreground: text.foreground, background: text.background)
    }
  }
}

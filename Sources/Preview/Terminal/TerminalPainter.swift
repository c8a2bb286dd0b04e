internal import Frames

/// A method of showing pictures in a terminal.
protocol TerminalPainter: Sendable {
  /// Appends the output that shows a picture in the centre of the terminal, or draws it into the canvas.
  /// - Parameters:
  ///   - picture: At most as large as the area of the terminal.
  ///   - geometry: The terminal's geometry.
  ///   - canvas: The terminal's cells.
  ///   - output: The output to send before the cells.
  /// - Throws: `TerminalError.cannotEncode`.
  mutating func paint(
    _ picture: RGBPicture, _ geometry: TerminalGeometry, _ canvas: inout TerminalCanvas, _ output: inout TerminalOutput
  ) throws(TerminalError)

  /// Appends whatever else is needed to erase the screen.
  mutating func erase(_ output: inout TerminalOutput)
}

extension TerminalScreen.Graphics {
  /// Creates a painter.
  var painter: any TerminalPainter {
    switch self {
    case .halfBlocks: HalfBlockPainter()
    case .sixel: SixelPainter()
    case .kitty: KittyPainter()
    }
  }
}

/// Pictures in half cells: foreground colour for the upper pixel, background for the lower.
struct HalfBlockPainter: TerminalPainter {
  private var place: TerminalGeometry.Place?

  mutating func paint(
    _ picture: RGBPicture, _ geometry: TerminalGeometry, _ canvas: inout TerminalCanvas, _ output: inout TerminalOutput
  ) {
    let place = geometry.place(picture.size, cell: Size(width: 1, height: 2))
    if place != self.place { canvas.clearPicture() }
    self.place = place
    for row in 0..<place.rows.count {
      var index = (place.rows.lowerBound + row) * canvas.columns + place.columns.lowerBound
      for x in 0..<place.columns.count {
        let upper = picture.pixel(x: x, y: 2 * row)
        // The last row of an odd height has no lower pixel.
        let lower = 2 * row + 1 < picture.size.height ? picture.pixel(x: x, y: 2 * row + 1) : TerminalCell.ownColor
        canvas.picture[index] = TerminalCell(upper: upper, lower: lower)
        index += 1
      }
    }
  }

  mutating func erase(_ output: inout TerminalOutput) { place = nil }
}

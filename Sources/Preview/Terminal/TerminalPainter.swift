internal import Frames

/// One way of showing pictures in a terminal.
protocol TerminalPainter: Sendable {
  /// Appends what shows a picture in the middle of the terminal, or draws it into the cells that will be sent.
  /// - Parameters:
  ///   - picture: Not larger than the area of the terminal.
  ///   - geometry: Of the terminal.
  ///   - canvas: The terminal's cells.
  ///   - output: What will be sent before the cells.
  /// - Throws: `TerminalError.cannotEncode`.
  mutating func paint(
    _ picture: RGBPicture, _ geometry: TerminalGeometry, _ canvas: inout TerminalCanvas, _ output: inout TerminalOutput
  ) throws(TerminalError)

  /// The screen is being erased: appends what else has to go.
  mutating func erase(_ output: inout TerminalOutput)
}

extension TerminalScreen.Graphics {
  /// A painter that has shown nothing yet.
  var painter: any TerminalPainter {
    switch self {
    case .halfBlocks: HalfBlockPainter()
    case .sixel: SixelPainter()
    case .kitty: KittyPainter()
    }
  }
}

/// Pictures of half cells: the upper half is a character's foreground, the lower its background.
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
        // The last row of an odd number has nothing below.
        let lower = 2 * row + 1 < picture.size.height ? picture.pixel(x: x, y: 2 * row + 1) : TerminalCell.ownColor
        canvas.picture[index] = TerminalCell(upper: upper, lower: lower)
        index += 1
      }
    }
  }

  mutating func erase(_ output: inout TerminalOutput) { place = nil }
}

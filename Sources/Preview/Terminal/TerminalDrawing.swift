internal import Frames

/// What is drawn on a terminal. One thread draws at a time.
struct TerminalDrawing {
  private let graphics: TerminalScreen.Graphics
  /// As it was drawn for; nil: nothing has been drawn.
  private var geometry: TerminalGeometry?
  private var canvas = TerminalCanvas(TerminalGeometry(columns: 0, rows: 0))
  private var painter: any TerminalPainter
  private var picture = RGBPicture()
  private var output = TerminalOutput()
  /// The rest of text that the terminal was too slow to take: it goes first, since what is drawn next counts on it.
  private var unsent: [UInt8] = []
  private var lines: [TerminalText]?

  /// Nothing is drawn yet.
  init(_ graphics: TerminalScreen.Graphics) { (self.graphics, painter) = (graphics, graphics.painter) }

  /// Shows a picture under lines of text.
  /// - Throws: `TerminalError`.
  mutating func show(
    _ frame: CodedFrame, _ lines: [TerminalText], _ geometry: TerminalGeometry, on device: TerminalDevice
  ) throws(TerminalError) {
    try picture.take(frame, most: geometry.area(for: graphics).size)
    begin(geometry)
    try painter.paint(picture, geometry, &canvas, &output)
    finish(lines)
    try send(on: device, patience: nil)
  }

  /// Shows lines of text over the picture that is there; sends nothing if they are shown already.
  /// - Throws: `TerminalError.isGone`.
  mutating func show(
    _ lines: [TerminalText], _ geometry: TerminalGeometry, on device: TerminalDevice
  ) throws(TerminalError) {
    // A terminal that does not read must not hold up the thread that reads keys.
    let patience = Duration.milliseconds(500)
    guard device.isReady else { return }
    try send(on: device, patience: patience)
    guard unsent.isEmpty, lines != self.lines || geometry != self.geometry else { return }
    begin(geometry)
    finish(lines)
    try send(on: device, patience: patience)
  }

  private mutating func begin(_ geometry: TerminalGeometry) {
    output.removeAll()
    output.append("\u{1B}[?2026h")
    guard geometry != self.geometry else { return }
    painter.erase(&output)
    output.append("\u{1B}[0m\u{1B}[2J")
    canvas = TerminalCanvas(geometry)
    canvas.erase()
    self.geometry = geometry
  }

  private mutating func finish(_ lines: [TerminalText]) {
    canvas.render(lines, into: &output)
    output.append("\u{1B}[?2026l")
    unsent += output.bytes
    self.lines = lines
  }

  private mutating func send(on device: TerminalDevice, patience: Duration?) throws(TerminalError) {
    unsent.removeFirst(try device.send(unsent, patience: patience))
  }
}

internal import Frames

/// The state of a terminal's drawing. Used by one thread at a time.
struct TerminalDrawing {
  private let graphics: TerminalScreen.Graphics
  /// The geometry last drawn for; nil: nothing has been drawn.
  private var geometry: TerminalGeometry?
  private var canvas = TerminalCanvas(TerminalGeometry(columns: 0, rows: 0))
  private var painter: any TerminalPainter
  private var picture = RGBPicture()
  private var output = TerminalOutput()
  /// Output that the terminal was too slow to accept: sent first, because later output depends on it.
  private var unsent: [UInt8] = []
  private var lines: [TerminalText]?

  /// Creates an empty drawing.
  init(_ graphics: TerminalScreen.Graphics) { (self.graphics, painter) = (graphics, graphics.painter) }

  /// Shows a picture with lines of text over it.
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

  /// Shows lines of text over the current picture; sends nothing if they are already shown.
  /// - Throws: `TerminalError.isGone`.
  mutating func show(
    _ lines: [TerminalText], _ geometry: TerminalGeometry, on device: TerminalDevice
  ) throws(TerminalError) {
    // A terminal that does not read must not block the thread that reads keys.
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

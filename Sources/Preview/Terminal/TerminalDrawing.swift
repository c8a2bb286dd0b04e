internal import Frames

/// What is drawn on a terminal. One thread draws at a time.
struct TerminalDrawing {
  private let graphics: TerminalScreen.Graphics
  private var geometry: TerminalGeometry
  private var canvas: TerminalCanvas
  private var painter: any TerminalPainter
  private var picture = RGBPicture()
  private var output = TerminalOutput()
  private var lines: [TerminalText]?
  /// What the terminal shows is not known.
  private var isLost = true

  init(_ graphics: TerminalScreen.Graphics, _ geometry: TerminalGeometry) {
    (self.graphics, self.geometry, canvas) = (graphics, geometry, TerminalCanvas(geometry))
    painter = graphics.painter
  }

  /// Shows a picture under lines of text.
  /// - Returns: False if sending was interrupted.
  /// - Throws: `TerminalError`.
  mutating func show(
    _ frame: CodedFrame, _ lines: [TerminalText], _ geometry: TerminalGeometry, on device: TerminalDevice
  ) throws(TerminalError) -> Bool {
    try picture.take(frame, most: geometry.area(for: graphics).size)
    begin(geometry)
    try painter.paint(picture, geometry, &canvas, &output)
    return try finish(lines, on: device, patience: nil)
  }

  /// Shows lines of text over the picture that is there; sends nothing if they are shown already.
  /// - Throws: `TerminalError.isGone`.
  mutating func show(
    _ lines: [TerminalText], _ geometry: TerminalGeometry, on device: TerminalDevice
  ) throws(TerminalError) {
    guard isLost || lines != self.lines || geometry != self.geometry, device.isReady else { return }
    begin(geometry)
    // A terminal that does not read must not hold up the thread that reads keys.
    _ = try finish(lines, on: device, patience: .milliseconds(500))
  }

  private mutating func begin(_ geometry: TerminalGeometry) {
    output.removeAll()
    // The string terminator ends what a broken-off picture has left open.
    if isLost { output.append("\u{1B}\\") }
    output.append("\u{1B}[?2026h")
    guard isLost || geometry != self.geometry else { return }
    painter.erase(&output)
    output.append("\u{1B}[0m\u{1B}[2J")
    if geometry != self.geometry { canvas = TerminalCanvas(geometry) }
    canvas.erase()
    self.geometry = geometry
  }

  private mutating func finish(
    _ lines: [TerminalText], on device: TerminalDevice, patience: Duration?
  ) throws(TerminalError) -> Bool {
    canvas.render(lines, into: &output)
    output.append("\u{1B}[?2026l")
    isLost = true
    let isSent = try device.send(output.bytes, patience: patience)
    isLost = !isSent
    self.lines = lines
    return isSent
  }
}

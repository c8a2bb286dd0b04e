internal import Frames

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

/// Text over a picture: the status line or a message in its position, and help.
struct TerminalOverlay {
  var status = PreviewStatus()
  var isStatusOn = true
  var isHelpOn = false
  private var message: (text: String, end: ContinuousClock.Instant)?

  /// Duration of a message.
  private static let messageDuration = Duration.seconds(2.5)
  private static let foreground: UInt32 = 0xE0_E0E0
  private static let background: UInt32 = 0x20_2020
  private static let messageBackground: UInt32 = 0x60_4000

  /// Shows a message.
  mutating func say(_ text: String, at now: ContinuousClock.Instant = .now) {
    message = (text, now + Self.messageDuration)
  }

  /// Returns the visible lines.
  func lines(_ geometry: TerminalGeometry, at now: ContinuousClock.Instant = .now) -> [TerminalText] {
    var lines = isHelpOn ? help(geometry) : []
    let row = geometry.rows - 1
    if let message, now < message.end {
      lines.append(Self.line(message.text, row, geometry.columns, Self.messageBackground))
    } else if isStatusOn {
      lines.append(Self.line(status.text, row, geometry.columns, Self.background))
    }
    return lines
  }

  /// Returns a line that fills a row.
  private static func line(_ text: String, _ row: Int, _ columns: Int, _ background: UInt32) -> TerminalText {
    TerminalText(
      row: row, column: 0, text: padded(text, to: columns), foreground: foreground, background: background)
  }

  /// Returns all keys, centred, in as many columns as the rows require.
  private func help(_ geometry: TerminalGeometry) -> [TerminalText] {
    let labels = PreviewKey.all.map { $0.presses.map(\.label).joined(separator: " ") }
    let labelWidth = labels.map(\.unicodeScalars.count).max() ?? 0
    let entries = zip(labels, PreviewKey.all).map { " \(Self.padded($0, to: labelWidth))  \($1.help) " }
    let width = entries.map(\.unicodeScalars.count).max() ?? 0
    let columns = (entries.count + geometry.pictureRows - 1) / geometry.pictureRows
    let rows = (entries.count + columns - 1) / columns
    let (top, left) = ((geometry.pictureRows - rows) / 2, max((geometry.columns - columns * width) / 2, 0))
    return (0..<rows).map { row in
      let text = stride(from: row, to: columns * rows, by: rows)
        .map { Self.padded($0 < entries.count ? entries[$0] : "", to: width) }.joined()
      return TerminalText(
        row: top + row, column: left, text: text, foreground: Self.foreground, background: Self.background)
    }
  }

  /// Pads or truncates text to a number of scalars, one cell each.
  private static func padded(_ text: String, to count: Int) -> String {
    var scalars = String.UnicodeScalarView(text.unicodeScalars.prefix(count))
    scalars.append(contentsOf: repeatElement(" ", count: max(count - scalars.count, 0)))
    return String(scalars)
  }
}

/// The content of a terminal cell.
struct TerminalCell: Hashable {
  /// A Unicode scalar, or one of the special values.
  var glyph: UInt32
  /// 0xRRGGBB, or the terminal's default.
  var foreground: UInt32
  /// 0xRRGGBB, or the terminal's default.
  var background: UInt32

  /// The terminal's default colour.
  static let ownColor: UInt32 = 0xFF00_0000

  /// An empty cell with the default background.
  static let blank = TerminalCell(glyph: 0x20, foreground: ownColor, background: ownColor)
  /// A cell covered by an image; never written, because text would erase the image.
  static let image = TerminalCell(glyph: 0xFFFF_FFFE, foreground: ownColor, background: ownColor)
  /// Unknown content.
  static let unknown = TerminalCell(glyph: 0xFFFF_FFFF, foreground: ownColor, background: ownColor)
}

extension TerminalCell {
  /// Two pixels, one above the other, as a half block.
  init(upper: UInt32, lower: UInt32) {
    self =
      upper == lower
      ? TerminalCell(glyph: 0x20, foreground: Self.ownColor, background: lower)
      : TerminalCell(glyph: 0x2580, foreground: upper, background: lower)
  }
}

/// A line of text over the picture.
struct TerminalText: Hashable {
  /// The first cell, counting from 0.
  var row: Int
  var column: Int
  /// Plain text: one cell per scalar.
  var text: String
  /// 0xRRGGBB.
  var foreground: UInt32
  var background: UInt32
}

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
  mutating func show(
    _ frame: CodedFrame, _ lines: [TerminalText], _ geometry: TerminalGeometry, on device: TerminalDevice
  ) throws(TerminalError) {
    try picture.take(frame, fitting: geometry.area(for: graphics).size)
    begin(geometry)
    try painter.paint(picture, geometry, &canvas, &output)
    finish(lines)
    try send(on: device, timeout: nil)
  }

  /// Shows lines of text over the current picture; sends nothing if they are already shown.
  mutating func show(
    _ lines: [TerminalText], _ geometry: TerminalGeometry, on device: TerminalDevice
  ) throws(TerminalError) {
    // A terminal that does not read must not block the thread that reads keys.
    let timeout = Duration.milliseconds(500)
    guard device.isReady else { return }
    try send(on: device, timeout: timeout)
    guard unsent.isEmpty, lines != self.lines || geometry != self.geometry else { return }
    begin(geometry)
    finish(lines)
    try send(on: device, timeout: timeout)
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

  private mutating func send(on device: TerminalDevice, timeout: Duration?) throws(TerminalError) {
    unsent.removeFirst(try device.send(unsent, timeout: timeout))
  }
}

/// A picture in the format of terminals: interleaved R', G', B', 8 bits each.
struct RGBPicture {
  private(set) var size = Size(width: 0, height: 0)
  /// Rows without padding.
  private(set) var bytes: [UInt8] = []

  /// Copies the pixels of a frame.
  /// - Parameters:
  ///   - frame: Planar 8-bit R'G'B'.
  ///   - most: The maximum size; a larger frame is cropped to its upper left.
  mutating func take(_ frame: CodedFrame, fitting limit: Size) throws(TerminalError) {
    guard frame.layout == PixelLayout(.rgb, bitDepth: 8) else { throw .wrongLayout }
    size = Size(width: min(frame.size.width, limit.width), height: min(frame.size.height, limit.height))
    let count = 3 * size.width * size.height
    if bytes.count != count { bytes = Array(repeating: 0, count: count) }
    // The plane order is G', B', R'.
    for (plane, component) in [1, 2, 0].enumerated() {
      unsafe frame.withPlane(plane) { plane in
        unsafe bytes.withUnsafeMutableBufferPointer { target in
          for y in 0..<size.height {
            let row = unsafe plane.row(y).assumingMemoryBound(to: UInt8.self)
            var index = 3 * y * size.width + component
            for x in 0..<size.width {
              unsafe target[index] = row[x]
              index += 3
            }
          }
        }
      }
    }
  }

  /// Returns a pixel as 0xRRGGBB.
  func pixel(x: Int, y: Int) -> UInt32 { pixel(y * size.width + x) }

  func pixel(_ index: Int) -> UInt32 {
    UInt32(bytes[3 * index]) << 16 | UInt32(bytes[3 * index + 1]) << 8 | UInt32(bytes[3 * index + 2])
  }
}

/// Output for a terminal, with the state it leads to.
struct TerminalOutput {
  private(set) var bytes: [UInt8] = []
  private var cursor: (row: Int, column: Int)?
  private var foreground = TerminalCell.ownColor
  private var background = TerminalCell.ownColor
  private var hasCells = false

  /// Discards the output, to start a new picture.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends text or control sequences unchanged.
  mutating func append(_ text: StaticString) {
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes unchanged.
  mutating func append(contentsOf other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  /// Appends a byte.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends a decimal number, 0 or above.
  mutating func append(number: Int) {
    if number >= 10 { append(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Moves the cursor to a cell, counting from 0.
  mutating func move(row: Int, column: Int) {
    append("\u{1B}[")
    append(number: row + 1)
    append(UInt8(ascii: ";"))
    append(number: column + 1)
    append(UInt8(ascii: "H"))
  }

  /// Starts a run of cells, with unknown cursor and colours.
  mutating func beginCells() { (cursor, hasCells) = (nil, false) }

  /// Appends a cell, as its character alone if possible.
  mutating func append(_ cell: TerminalCell, row: Int, column: Int) {
    if !hasCells {
      hasCells = true
      append("\u{1B}[0m")
      (foreground, background) = (TerminalCell.ownColor, TerminalCell.ownColor)
    }
    advance(to: row, column)
    // A space needs no foreground.
    setColors(cell.glyph == 0x20 ? foreground : cell.foreground, cell.background)
    if cell.glyph < 0x80 {
      bytes.append(UInt8(cell.glyph))
    } else if let scalar = Unicode.Scalar(cell.glyph) {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    cursor = (row, column + 1)
  }

  private mutating func advance(to row: Int, _ column: Int) {
    guard let cursor, cursor.row == row else { return move(row: row, column: column) }
    guard cursor.column != column else { return }
    append("\u{1B}[")
    if column > cursor.column + 1 { append(number: column - cursor.column) }
    append(UInt8(ascii: "C"))
  }

  private mutating func setColors(_ newForeground: UInt32, _ newBackground: UInt32) {
    let (changesForeground, changesBackground) = (newForeground != foreground, newBackground != background)
    guard changesForeground || changesBackground else { return }
    append("\u{1B}[")
    if changesForeground { append(color: newForeground, 38) }
    if changesForeground, changesBackground { append(UInt8(ascii: ";")) }
    if changesBackground { append(color: newBackground, 48) }
    append(UInt8(ascii: "m"))
    (foreground, background) = (newForeground, newBackground)
  }

  /// - Parameter code: 38 for the foreground, 48 for the background; the next number selects the terminal's default.
  private mutating func append(color: UInt32, _ code: Int) {
    guard color != TerminalCell.ownColor else { return append(number: code + 1) }
    append(number: code)
    append(";2;")
    append(number: Int(color >> 16))
    append(UInt8(ascii: ";"))
    append(number: Int(color >> 8 & 0xFF))
    append(UInt8(ascii: ";"))
    append(number: Int(color & 0xFF))
  }
}

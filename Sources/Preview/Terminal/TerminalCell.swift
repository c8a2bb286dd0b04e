/// What a cell of a terminal shows.
struct TerminalCell: Hashable {
  /// A Unicode scalar, or one of the values that are none.
  var glyph: UInt32
  /// 0xRRGGBB, or the terminal's own.
  var foreground: UInt32
  /// 0xRRGGBB, or the terminal's own.
  var background: UInt32

  /// The terminal's own colour.
  static let ownColor: UInt32 = 0xFF00_0000

  /// Nothing but the terminal's background.
  static let blank = TerminalCell(glyph: 0x20, foreground: ownColor, background: ownColor)
  /// Part of an image that text would erase: nothing is written there.
  static let image = TerminalCell(glyph: 0xFFFF_FFFE, foreground: ownColor, background: ownColor)
  /// Nobody knows what it shows.
  static let unknown = TerminalCell(glyph: 0xFFFF_FFFF, foreground: ownColor, background: ownColor)

  /// Two pixels, one above the other.
  init(upper: UInt32, lower: UInt32) {
    self =
      upper == lower
      ? TerminalCell(glyph: 0x20, foreground: Self.ownColor, background: lower)
      : TerminalCell(glyph: 0x2580, foreground: upper, background: lower)
  }

  init(glyph: UInt32, foreground: UInt32, background: UInt32) {
    (self.glyph, self.foreground, self.background) = (glyph, foreground, background)
  }
}

/// A line of text over a picture.
struct TerminalText: Hashable {
  /// The first cell, counted from 0.
  var row: Int
  var column: Int
  /// Plain text: a scalar takes a cell.
  var text: String
  /// 0xRRGGBB.
  var foreground: UInt32
  var background: UInt32
}

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

  /// Two pixels, one above the other, as a half block.
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

/// The glyphs of a line of text and their places, in units of the font.
struct GlyphRow {
  struct Glyph {
    let index: UInt32
    /// Of the glyph's origin from that of the first.
    let origin: Int
  }

  var glyphs: [Glyph] = []
  /// Where the line begins: the first origin, or ink left of it.
  var left = 0
  /// Where the line ends: the last advance, or ink right of it.
  var right = 0

  var width: Int { right - left }
}

/// The glyphs of a line of text and their positions, in font units.
struct GlyphRow {
  struct Glyph {
    let index: UInt32
    /// Position of the glyph's origin relative to the first one.
    let origin: Int
  }

  var glyphs: [Glyph] = []
  /// Start of the line: the first origin, or ink left of it.
  var left = 0
  /// End of the line: the last advance, or ink right of it.
  var right = 0

  var width: Int { right - left }
}

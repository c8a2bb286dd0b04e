internal import CFreeType
internal import Glibc

/// Owns the FreeType objects of a font, and frees them when it is deallocated. Used by one thread at a time.
@safe
struct FontFace: ~Copyable {
  // @safe: the pointers never leave this type, and FreeType keeps their targets until `deinit`.
  private let library: FT_Library
  private let face: FT_Face

  /// Distance in font units from the baseline to the top of a line.
  let ascender: Int
  /// Height of a line in font units.
  let lineHeight: Int
  private let unitsPerEM: Int

  init(path: String) throws(LetteringError) {
    // FreeType would block on a pipe until something is written to it.
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .notAFile(path: path) }
    var library: FT_Library?
    var code = unsafe FT_Init_FreeType(&library)
    guard code == 0, let library = unsafe library else { throw .unreadableFont(path: path, code: Int(code)) }
    var face: FT_Face?
    code = unsafe FT_New_Face(library, path, 0, &face)
    guard code == 0, let face = unsafe face else {
      unsafe FT_Done_FreeType(library)
      throw .unreadableFont(path: path, code: Int(code))
    }
    let (ascender, descender) = unsafe (Int(face.pointee.ascender), Int(face.pointee.descender))
    guard unsafe face.pointee.face_flags & FT_FACE_FLAG_SCALABLE != 0, ascender > 0, descender <= 0,
      unsafe face.pointee.units_per_EM > 0
    else {
      unsafe FT_Done_Face(face)
      unsafe FT_Done_FreeType(library)
      throw .unusableFont(path: path)
    }
    unsafe self.library = unsafe library
    unsafe self.face = unsafe face
    self.ascender = ascender
    lineHeight = ascender - descender
    unitsPerEM = Int(unsafe face.pointee.units_per_EM)
  }

  deinit {
    unsafe FT_Done_Face(face)
    unsafe FT_Done_FreeType(library)
  }

  /// Lays out the glyphs of a text, side by side.
  func row(of text: String, isKerned: Bool) -> GlyphRow {
    var row = GlyphRow()
    var (pen, previous) = (0, UInt32(0))
    for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      let index = unsafe FT_Get_Char_Index(face, FT_ULong(Self.isSpace(scalar) ? 0x20 : scalar.value))
      guard unsafe FT_Load_Glyph(face, index, Int32(FT_LOAD_NO_SCALE)) == 0 else { continue }
      if isKerned { pen += kerning(previous, index) }
      let metrics = unsafe face.pointee.glyph.pointee.metrics
      row.glyphs.append(GlyphRow.Glyph(index: index, origin: pen))
      row.left = min(row.left, pen + metrics.horiBearingX)
      row.right = max(row.right, pen + metrics.horiBearingX + metrics.width)
      pen += metrics.horiAdvance
      previous = index
    }
    row.right = max(row.right, pen)
    return row
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  private func kerning(_ left: UInt32, _ right: UInt32) -> Int {
    var kerning = FT_Vector()
    guard unsafe FT_Get_Kerning(face, left, right, FT_KERNING_UNSCALED.rawValue, &kerning) == 0 else { return 0 }
    return kerning.x
  }

  /// Sets the size of subsequently drawn glyphs.
  func setSize(pixelsPerUnit scale: Double) {
    let em = FT_Long((scale * Double(unitsPerEM) * 64).rounded())
    var request = FT_Size_RequestRec(
      type: FT_SIZE_REQUEST_TYPE_NOMINAL, width: em, height: em, horiResolution: 0, vertResolution: 0)
    unsafe FT_Request_Size(face, &request)
  }

  /// Draws a glyph; skips glyphs that FreeType cannot draw, and implausibly large ones of broken fonts.
  /// - Parameters:
  ///   - origin: Column of the glyph's origin; FreeType places it in 64ths of a pixel.
  ///   - baseline: Row whose top is the baseline.
  func draw(_ glyph: UInt32, origin: Double, baseline: Int, on canvas: inout InkCanvas) {
    guard unsafe FT_Load_Glyph(face, glyph, Int32(FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP)) == 0,
      let slot = unsafe face.pointee.glyph, unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return }
    let (width, height) = unsafe (slot.pointee.metrics.width >> 6, slot.pointee.metrics.height >> 6)
    guard width >= 0, height >= 0, width * height <= 16 * canvas.height * canvas.height else { return }
    let place = Int((origin * 64).rounded())
    unsafe FT_Outline_Translate(&slot.pointee.outline, place & 63, 0)
    guard unsafe FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0 else { return }
    let bitmap = unsafe slot.pointee.bitmap
    guard let ink = unsafe bitmap.buffer else { return }
    let (left, top) = unsafe (place >> 6 + Int(slot.pointee.bitmap_left), baseline - Int(slot.pointee.bitmap_top))
    for y in 0..<Int(unsafe bitmap.rows) {
      let row = unsafe UnsafeBufferPointer(start: ink + y * Int(bitmap.pitch), count: Int(bitmap.width))
      unsafe canvas.add(row, x: left, y: top + y)
    }
  }
}

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

/// The coverage of a line while glyphs are drawn.
struct InkCanvas {
  let width: Int
  let height: Int
  private(set) var values: [UInt8]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    values = Array(repeating: 0, count: width * height)
  }

  /// Adds a row of ink, clipped to the canvas; overlapping ink is added, up to full coverage.
  mutating func add(_ ink: UnsafeBufferPointer<UInt8>, x: Int, y: Int) {
    guard y >= 0, y < height else { return }
    let columns = max(-x, 0)..<max(min(ink.count, width - x), max(-x, 0))
    for column in columns {
      let place = y * width + x + column
      values[place] = UInt8(min(Int(values[place]) + Int(unsafe ink[column]), 255))
    }
  }
}

internal import Synchronization

/// A font for drawing lines of text. Safe to use from several threads.
///
/// The line height spans from the font's ascender, which accented capitals reach, to its descender. In DejaVu Sans,
/// capitals are 0.63 of it and begin 0.17 from its top. Each Unicode scalar is one glyph from left to right, with
/// kerning from the font's `kern` table and without hinting, so that widths are proportional to heights and pixels do
/// not depend on where the line is used. Scalars missing from the font are drawn as its missing-glyph box; line breaks
/// and tabs are spaces; invisible scalars, such as joiners, are omitted.
public final class Typeface: Sendable {
  /// Line heights in pixels; values outside, and NaN, are clamped.
  public static let heights = 1.0...4096.0
  /// Maximum line width in pixels; longer lines are truncated.
  public static let maximumWidth = 32_768

  /// Path of the font file.
  public let path: String
  private let face: Mutex<FontFace>
  /// Distance from the baseline to the top of a line, as a fraction of its height.
  private let ascent: Double

  /// Loads a font.
  /// - Parameter path: Path of a TrueType or OpenType font.
  /// - Throws: `LetteringError` if the file cannot be read, or is not a scalable font.
  public init(path: String) throws(LetteringError) {
    self.path = path
    let face = try FontFace(path: path)
    ascent = Double(face.ascender) / Double(face.lineHeight)
    self.face = Mutex(face)
  }

  /// Returns the unrounded width of a line in pixels, proportional to the height: from the first glyph's origin, or ink
  /// left of it, to the end of the last advance or ink.
  public func width(of text: String, height: Double, isKerned: Bool = true) -> Double {
    face.withLock { face in
      Double(face.row(of: text, isKerned: isKerned).width) / Double(face.lineHeight) * Self.limited(height)
    }
  }

  /// Returns the pixel row whose top is the baseline: the same for all lines of a height.
  public func baseline(height: Double) -> Int { Int((ascent * Self.limited(height)).rounded()) }

  /// Draws a line of text, anti-aliased. Only ink above the ascender or below the descender is clipped.
  /// - Returns: Coverage of the line's size, rounded up to whole pixels; empty for an empty text.
  public func line(_ text: String, height: Double, isKerned: Bool = true) -> Coverage {
    let height = Self.limited(height)
    let baseline = baseline(height: height)
    return face.withLock { face in
      let row = face.row(of: text, isKerned: isKerned)
      let scale = height / Double(face.lineHeight)
      let width = min(Int((Double(row.width) * scale).rounded(.up)), Self.maximumWidth)
      var canvas = InkCanvas(width: width, height: Int(height.rounded(.up)))
      face.setSize(pixelsPerUnit: scale)
      for glyph in row.glyphs {
        let origin = Double(glyph.origin - row.left) * scale
        guard origin < Double(width) else { continue }
        face.draw(glyph.index, origin: origin, baseline: baseline, on: &canvas)
      }
      return Coverage(width: width, height: canvas.height, values: canvas.values)
    }
  }

  private static func limited(_ height: Double) -> Double {
    height > heights.lowerBound ? min(height, heights.upperBound) : heights.lowerBound
  }
}

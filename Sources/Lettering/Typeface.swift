internal import Glibc
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

  /// The environment variable with the path of a font to use instead of DejaVu Sans.
  public static let environmentVariable = "HEADROOM_FONT"

  /// Locations where distributions install DejaVu Sans.
  public static let defaultPaths = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",  // Debian, Ubuntu
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",  // Fedora
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",  // Alpine, Gentoo
    "/usr/share/fonts/TTF/DejaVuSans.ttf",  // Arch
    "/usr/share/fonts/truetype/DejaVuSans.ttf",  // openSUSE
    "/usr/local/share/fonts/DejaVuSans.ttf",
  ]

  /// Returns the font named by the environment variable, or DejaVu Sans from its default locations.
  /// - Parameters:
  ///   - chosen: Path of a font; if specified, no other font is searched for.
  ///   - places: Candidate paths; the first that exists is used.
  /// - Throws: `LetteringError.missingFont` if no font is found, or the reason why the font is unusable.
  public static func `default`(
    chosen: String? = environmentPath, places: [String] = defaultPaths
  ) throws(LetteringError) -> Typeface {
    if let chosen { return try Typeface(path: chosen) }
    guard let path = places.first(where: { unsafe access($0, R_OK) == 0 })
    else { throw .missingFont(searched: places) }
    return try Typeface(path: path)
  }

  /// The value of `environmentVariable`; nil: unset or empty.
  public static var environmentPath: String? {
    guard let value = unsafe getenv(environmentVariable) else { return nil }
    let path = unsafe String(cString: value)
    return path.isEmpty ? nil : path
  }
}

/// Pixel coverage of text.
public struct Coverage: Sendable, Hashable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// 0...255, row by row.
  public let values: [UInt8]

  /// Creates coverage; `values` has width times height elements.
  public init(width: Int, height: Int, values: [UInt8]) {
    precondition(values.count == width * height)
    (self.width, self.height, self.values) = (width, height, values)
  }
}

/// Why text cannot be drawn.
public enum LetteringError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The font was not found in any default location.
  case missingFont(searched: [String])
  /// The path is a folder, a pipe or a device.
  case notAFile(path: String)
  /// FreeType cannot read the file; includes its error code.
  case unreadableFont(path: String, code: Int)
  /// The file is a font, but not an outline font with a line height.
  case unusableFont(path: String)

  public var description: String {
    switch self {
    case .missingFont:
      "No font was found for text: install DejaVu Sans (apt-get install fonts-dejavu-core), "
        + "or name a font file in \(Typeface.environmentVariable)."
    case .notAFile(let path):
      "The font '\(path)' is not a file: \(Typeface.environmentVariable) takes the path of a TrueType or OpenType file."
    case .unreadableFont(let path, let code):
      "The font '\(path)' cannot be read (FreeType error \(code)): "
        + "\(Typeface.environmentVariable) takes the path of a TrueType or OpenType file."
    case .unusableFont(let path):
      "The font '\(path)' has no outlines to scale: "
        + "\(Typeface.environmentVariable) takes the path of a TrueType or OpenType file."
    }
  }
}

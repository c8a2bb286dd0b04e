public import Frames
public import Media
public import Rendering

/// Draws the subtitles of a stream, frame by frame. Used by one thread.
public final class SubtitleRenderer {
  private enum Drawing {
    case text(TextDrawing)
    case pictures(BitmapDrawing)
  }

  private let drawing: Drawing

  /// - Parameters:
  ///   - track: The subtitles.
  ///   - geometry: The picture that they are drawn into.
  ///   - light: Conversion to coded light.
  ///   - palette: Colour coding of Blu-ray palettes; nil: as stated by the bitmaps.
  /// - Throws: `SubtitleError`.
  public init(
    _ track: SubtitleTrack, _ geometry: SubtitleGeometry, _ light: GraphicsLight, palette: PaletteCoding? = nil
  ) throws(SubtitleError) {
    drawing =
      switch track.content {
      case .script(let script): .text(try TextDrawing(script, geometry, light))
      case .pictures(let pictures): .pictures(BitmapDrawing(pictures, geometry, light, palette: palette))
      }
  }

  /// Returns the subtitles of a frame, with white at 1; nil: none.
  /// - Parameter time: Presentation time on the input's clock.
  /// - Throws: `SubtitleError`.
  public func overlay(at time: FrameTime) throws(SubtitleError) -> LightOverlay? {
    switch drawing {
    // Text times are whole milliseconds: text that begins after the frame is not shown yet.
    case .text(let text): try text.overlay(at: time.count(perSecond: 1000, rounds: false))
    // Bitmap times are rounded from the same ticks as the frame's.
    case .pictures(let pictures): pictures.overlay(at: time.count(perSecond: 1_000_000, rounds: true))
    }
  }

  /// Whether characters without a glyph in any font were encountered.
  public var lacksGlyphs: Bool { if case .text(let text) = drawing { text.lacksGlyphs } else { false } }
}

extension FrameTime {
  /// Returns the presentation time in fractions of a second, rounded to the nearest or down.
  fileprivate func count(perSecond: Int, rounds: Bool) -> Int64 {
    let divisor = Int128(timeBase.denominator)
    guard divisor > 0 else { return 0 }
    // Twice the count and divisor, so that halves are integers.
    let twice = 2 * Int128(presentation) * Int128(timeBase.numerator) * Int128(perSecond) + (rounds ? divisor : 0)
    let (quotient, remainder) = twice.quotientAndRemainder(dividingBy: 2 * divisor)
    return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
  }
}

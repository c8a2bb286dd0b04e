public import Frames
public import Media
public import Rendering

/// Draws the subtitles of a stream, for one frame after another. One thread uses it.
public final class SubtitleRenderer {
  private enum Drawing {
    case text(TextDrawing)
    case pictures(BitmapDrawing)
  }

  private let drawing: Drawing

  /// - Parameters:
  ///   - track: What is shown.
  ///   - geometry: The picture that it is drawn into.
  ///   - light: The light that is coded.
  ///   - palette: How colours of Blu-ray palettes are coded; nil: as the pictures state.
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

  /// What is shown in a frame; nil: nothing. Its white is 1.
  /// - Parameter time: Presentation time by the clock of the input.
  /// - Throws: `SubtitleError`.
  public func overlay(at time: FrameTime) throws(SubtitleError) -> LightOverlay? {
    switch drawing {
    // Times of text are whole milliseconds: what begins later than the frame is not shown yet.
    case .text(let text): try text.overlay(at: time.count(perSecond: 1000, rounds: false))
    // Those of pictures are rounded from the same ticks as the frame's.
    case .pictures(let pictures): pictures.overlay(at: time.count(perSecond: 1_000_000, rounds: true))
    }
  }

  /// Letters that no font has were to be drawn.
  public var lacksGlyphs: Bool { if case .text(let text) = drawing { text.lacksGlyphs } else { false } }
}

extension FrameTime {
  /// The presentation time in parts of a second, rounded to the nearest or down.
  fileprivate func count(perSecond: Int, rounds: Bool) -> Int64 {
    let divisor = Int128(timeBase.denominator)
    guard divisor > 0 else { return 0 }
    // Twice the count and its divisor: halves are whole.
    let twice = 2 * Int128(presentation) * Int128(timeBase.numerator) * Int128(perSecond) + (rounds ? divisor : 0)
    let (quotient, remainder) = twice.quotientAndRemainder(dividingBy: 2 * divisor)
    return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
  }
}

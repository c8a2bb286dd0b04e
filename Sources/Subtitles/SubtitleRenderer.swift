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

/// Why subtitles cannot be drawn.
public enum SubtitleError: Failure, Sendable, Hashable {
  /// libass cannot be initialized: out of memory.
  case outOfMemory
  /// More subtitles overlap than plausible, at a time in seconds.
  case tooManyAtOnce(Int, seconds: Double)
  /// Glyphs or borders are implausibly large, at a time in seconds.
  case tooLarge(seconds: Double)
  /// Layers cover the picture more often than plausible, at a time in seconds.
  case tooManyLayers(seconds: Double)

  public var kind: FailureKind { self == .outOfMemory ? .temporary : .failed }

  public var description: String {
    switch self {
    case .outOfMemory: "There is not enough memory to draw subtitles."
    case .tooManyAtOnce(let count, let seconds):
      "\(count) subtitles are to be shown at once at \(Self.words(seconds)) s: the stream is damaged or not meant to be "
        + "shown."
    case .tooLarge(let seconds):
      "The subtitles at \(Self.words(seconds)) s are so large that they could not be drawn in reasonable memory: they are "
        + "damaged or not meant to be shown."
    case .tooManyLayers(let seconds):
      "The subtitles at \(Self.words(seconds)) s cover the picture more than \(TextDrawing.maximumCover) times: they are "
        + "damaged or not meant to be shown."
    }
  }

  private static func words(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}

/// The displayed picture that subtitles are drawn into.
public struct SubtitleGeometry: Sendable, Hashable, Codable {
  /// Size of the picture in pixels.
  public var size: Size
  /// Size of the video that the subtitles were authored for.
  public var storage: Size
  /// Pixel aspect ratio: width over height.
  public var pixelAspect: Double
  /// How a player rotates the coded pixels for display.
  public var turn: Orientation

  /// - Parameters:
  ///   - size: Size of the displayed picture, at least 1 by 1.
  ///   - storage: Size of the video that the subtitles were authored for, rotated the same way.
  ///   - pixelAspect: Pixel aspect ratio of the displayed picture.
  ///   - turn: How a player rotates the coded pixels.
  public init(size: Size, storage: Size, pixelAspect: Double = 1, turn: Orientation = .identity) {
    (self.size, self.storage, self.pixelAspect, self.turn) = (size, storage, pixelAspect, turn)
  }
}

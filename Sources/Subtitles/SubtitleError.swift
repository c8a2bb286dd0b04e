public import Media

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

public import ColorScience
public import Frames
public import ImageFiles
public import Patterns

/// A file of a test pattern, or numbered pictures of one.
public struct PatternRequest: Sendable, Hashable, Codable {
  /// The pattern, with parameters as `NAME=key=value:key=value`.
  public var pattern: String
  /// Video by the suffix of a container, or a picture; "-": standard output.
  public var output: String
  /// The container and the encoder of a video.
  public var coding = CodingRequest()
  /// Size in points.
  public var size = Size(width: 1920, height: 1080)
  /// Pixels per point.
  public var scale = 1
  /// nil: the pattern's first kind.
  public var kind: PatternSignal.Kind?
  /// nil: the pattern's first range; full for R'G'B'.
  public var range: VideoRange?
  /// nil: top-left for HDR, left for SDR.
  public var chromaLocation: ChromaLocation?
  /// Seconds; nil: five, or a single picture.
  public var duration: Double?
  /// Frame rate.
  public var frameRate = Rational(25, 1)
  /// Colour space of a picture; nil: the pattern's signal.
  public var space: ImageSpace?
  /// Bits per sample of a picture; nil: the format's default.
  public var bitDepth: Int?
  /// Replaces existing files.
  public var overwrites = false

  /// A pattern as `NAME=key=value:key=value`, with the default values.
  public init(_ pattern: String, output: String) {
    self.pattern = pattern
    self.output = output
  }

  /// Allowed pixels per point.
  public static let scales = 1...8

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    try coding.validate()
    guard Self.scales.contains(scale) else { throw .invalid(.outOfRange(.pointScale, "\(scale)", "1", "8")) }
    let pixels = size.scaled(by: scale)
    guard TestPattern.allows(pixels) else {
      throw .invalid(
        "pattern-size-out-of-range",
        "A pattern can have \(TestPattern.minimumSize) to \(TestPattern.maximumSize) pixels, not \(pixels): choose "
          + "another \(.size).")
    }
    if let duration { try OptionValue.time.check(.duration, duration) }
    try frameRate.checkFrameRate(.rate)
  }
}

public import Frames
internal import Media

/// The container and the encoder of a video output.
public struct CodingRequest: Sendable, Hashable, Codable {
  /// An option of the encoder by its own name.
  public struct Option: Sendable, Hashable, Codable {
    /// The encoder's own name of the option.
    public var name: String
    /// Its value, as the encoder reads it.
    public var value: String

    /// An option by its name.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// FFmpeg's name of the container; nil: by the name of the output.
  public var format: String?
  /// FFmpeg's name of the encoder; nil: the container's default.
  public var encoder: String?
  /// The encoder's own name of a speed.
  public var preset: String?
  /// Constant quality on the encoder's own scale.
  public var crf: Double?
  /// nil: none are given, and where accuracy needs some they are chosen.
  public var encoderOptions: [Option]?
  /// nil: one that suits the light and the encoder.
  public var layout: PixelLayout?

  /// The container's defaults.
  public init() {}

  /// Those that say how video is coded, which a picture has no use for, and that are given.
  var forVideoOnly: [Parameter] {
    [
      (Parameter.preset, preset != nil), (.crf, crf != nil), (.encoderOptions, encoderOptions != nil),
      (.pixelFormat, layout != nil),
    ].filter(\.1).map(\.0)
  }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of their range.
  public func validate() throws(Refusal) {
    if let crf, !(0...255).contains(crf) { throw .invalid(.outOfRange(.crf, "\(crf)", "0", "255")) }
    if let layout, layout.name == nil { throw .invalid(.output(.hasNoPixelFormat(layout))) }
  }
}

/// Which streams of the input go into the output beside the picture, and how.
public struct StreamRequest: Sendable, Hashable, Codable {
  /// Streams that are taken, or taken out again.
  public struct Entry: Sendable, Hashable, Codable {
    /// FFmpeg's stream specifier; empty is every stream.
    public var specifier: String
    /// The streams are taken out again.
    public var isNegative = false
    /// There need not be one.
    public var isOptional = false

    /// Takes every stream of a specifier.
    public init(_ specifier: String) { self.specifier = specifier }
  }

  /// In their order; empty: every stream that the output can hold.
  public var map: [Entry] = []
  /// FFmpeg's name of the encoder for audio that the output cannot hold as it is; nil: such audio is left out.
  public var audioEncoder: String?
  /// The same for subtitles; nil: the container's own form of text.
  public var subtitleEncoder: String?

  /// Every stream that the output can hold, none encoded.
  public init() {}
}

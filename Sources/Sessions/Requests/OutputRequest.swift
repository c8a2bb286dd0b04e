public import Frames
internal import Media

/// The container and the encoder of a video output.
public struct CodingRequest: Sendable, Hashable, Codable {
  /// An encoder option by its own name.
  public struct Option: Sendable, Hashable, Codable {
    /// The encoder's name of the option.
    public var name: String
    /// Its value, as the encoder reads it.
    public var value: String

    /// An option by name.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// FFmpeg's name of the container; nil: chosen by the output name.
  public var format: String?
  /// FFmpeg's name of the encoder; nil: the container's default.
  public var encoder: String?
  /// Preset of the encoder.
  public var preset: String?
  /// Constant quality (CRF) on the encoder's scale.
  public var crf: Double?
  /// nil: none, except where accuracy needs some.
  public var encoderOptions: [Option]?
  /// nil: one that suits the transfer function and the encoder.
  public var layout: PixelLayout?

  /// The container's defaults.
  public init() {}

  /// Parameters that are set and make sense only for video.
  var forVideoOnly: [Parameter] {
    [
      (Parameter.preset, preset != nil), (.crf, crf != nil), (.encoderOptions, encoderOptions != nil),
      (.pixelFormat, layout != nil),
    ].filter(\.1).map(\.0)
  }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    if let crf, !(0...255).contains(crf) { throw .invalid(.outOfRange(.crf, "\(crf)", "0", "255")) }
    if let layout, layout.name == nil { throw .invalid(.output(.hasNoPixelFormat(layout))) }
  }
}

/// Which streams of the input are written besides the picture, and how.
public struct StreamRequest: Sendable, Hashable, Codable {
  /// Streams that are included or excluded.
  public struct Entry: Sendable, Hashable, Codable {
    /// FFmpeg's stream specifier; empty: every stream.
    public var specifier: String
    /// The streams are excluded.
    public var isNegative = false
    /// No matching stream is required.
    public var isOptional = false

    /// Includes every stream that matches a specifier.
    public init(_ specifier: String) { self.specifier = specifier }
  }

  /// In order; empty: every stream that the output can hold.
  public var map: [Entry] = []
  /// FFmpeg's name of the encoder for audio that the output cannot hold; nil: such audio is dropped.
  public var audioEncoder: String?
  /// The same for subtitles; nil: the container's text format.
  public var subtitleEncoder: String?

  /// Every stream that the output can hold, without encoding.
  public init() {}
}

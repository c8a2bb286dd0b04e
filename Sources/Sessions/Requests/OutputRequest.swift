internal import FFmpegIO
public import Media

/// Which streams of the input are written besides the picture, and how.
public struct StreamRequest: DefaultedRequest, Hashable, Codable {
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
  /// FFmpeg's name of the encoder for all audio; "copy" or nil: audio is copied where the output can hold it.
  public var audioEncoder: String?
  /// FFmpeg's name of the encoder for audio that would be copied, but that the output cannot hold; `noFallback`: it is left
  /// out; nil: the container's usual encoder.
  public var audioFallback: String?
  /// Audio that the output cannot hold is left out.
  public static let noFallback = "none"
  /// Bit rate of each audio stream that is encoded, in bits per second; nil: one that suits the encoder and the channels.
  public var audioBitRate: Int?
  /// Audio with more channels is mixed down to these; nil: not at all. Without `audioEncoder`, what is mixed is encoded by
  /// the container's usual encoder.
  public var downmix: ChannelMix?
  /// FFmpeg's name of the encoder for subtitles that the output cannot hold; nil: the container's text format.
  public var subtitleEncoder: String?

  public static let defaults = StreamRequest()

  /// Every stream that the output can hold, without encoding.
  public init() {}

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range, and for settings of an encoder without one.
  public func validate() throws(Refusal) {
    try StreamOptions.check(self)
    let encodesAll = audioEncoder != nil && audioEncoder != "copy"
    if audioBitRate != nil {
      if !encodesAll, downmix == nil, audioFallback ?? Self.noFallback == Self.noFallback {
        throw .invalid(Self.encodesNoAudio(.audioBitRate))
      }
      if let audioEncoder, Encoders.isLossless(audioEncoder) {
        throw .invalid(
          "lossless-audio-encoder",
          "\(audioEncoder) is lossless and has no bit rate: omit \(.audioBitRate), or choose another \(.audioEncoder).")
      }
    }
    if downmix != nil, audioEncoder == "copy" { throw .invalid(Self.encodesNoAudio(.downmix)) }
  }

  private static func encodesNoAudio(_ parameter: Parameter) -> Message {
    Message(
      "no-audio-encoded",
      "\(parameter) is for audio that is re-encoded: name an encoder, such as \(.audioEncoder, "aac").")
  }
}

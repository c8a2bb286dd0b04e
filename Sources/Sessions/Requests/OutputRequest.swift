internal import FFmpegIO
public import Media

/// Streams of the input to write besides the picture, and how.
public struct StreamRequest: DefaultedRequest, Hashable, Codable {
  /// Streams to include or exclude.
  public struct Entry: Sendable, Hashable, Codable {
    /// FFmpeg's stream specifier; empty: every stream.
    public var specifier: String
    /// Excludes the streams.
    public var isNegative = false
    /// There may be no matching stream.
    public var isOptional = false

    /// Includes every stream that matches a specifier.
    public init(_ specifier: String) { self.specifier = specifier }
  }

  /// In order; empty: every stream that the output can hold.
  public var map: [Entry] = []
  /// FFmpeg's name of the encoder for all audio; "copy" or nil: copies audio that the output can hold.
  public var audioEncoder: String?
  /// FFmpeg's name of the encoder for audio that the output cannot hold unchanged; `noFallback`: dropped; nil: the
  /// container's default encoder.
  public var audioFallback: String?
  /// Drops audio that the output cannot hold.
  public static let noFallback = "none"
  /// Bit rate of each encoded audio stream, in bits per second; nil: suitable for the encoder and the channels.
  public var audioBitRate: Int?
  /// Mixes down audio with more channels to these; nil: no downmix. Without `audioEncoder`, mixed audio is encoded with
  /// the container's default encoder.
  public var downmix: ChannelMix?
  /// FFmpeg's name of the encoder for subtitles that the output cannot hold; nil: the container's text format.
  public var subtitleEncoder: String?

  public static let defaults = StreamRequest()

  /// Every stream that the output can hold, without encoding.
  public init() {}

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range, and for encoder settings without an encoder.
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

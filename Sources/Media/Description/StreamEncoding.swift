/// Encoding of a stream other than the video.
public struct StreamEncoding: Sendable, Hashable, Codable {
  /// FFmpeg's name of the encoder.
  public var encoder: String
  /// In bits per second; nil: the encoder's default.
  public var bitRate: Int?
  /// Downmix of audio; nil: all channels that the encoder supports are kept.
  public var mix: ChannelMix?

  /// FFmpeg's name of the encoder; otherwise its defaults.
  public init(encoder: String, bitRate: Int? = nil, mix: ChannelMix? = nil) {
    (self.encoder, self.bitRate, self.mix) = (encoder, bitRate, mix)
  }
}

/// Channels that surround sound is mixed down to.
///
/// Centre and surrounds are 3 dB lower than the front channels, and low-frequency effects are left out. The sum is
/// lowered so far that it cannot clip.
/// Source: ITU-R BS.775-4, annex 4, table 2 (coefficients).
public enum ChannelMix: String, Sendable, Hashable, Codable, CaseIterable {
  /// Left and right.
  case stereo
  /// One channel.
  case mono

  /// Number of channels.
  public var channels: Int { self == .stereo ? 2 : 1 }
}

/// Audio before and after encoding.
public struct EncodedAudio: Sendable, Hashable, Codable {
  /// The source stream.
  public var source: AudioStreamInfo
  /// The encoded stream; differs from the source if the encoder lacks its rate or channels, and in a downmix.
  public var made: AudioStreamInfo
  /// In bits per second; nil if the encoder does not report it, as lossless ones.
  public var bitRate: Int?

  /// A source and its encoded form.
  public init(source: AudioStreamInfo, made: AudioStreamInfo, bitRate: Int? = nil) {
    (self.source, self.made, self.bitRate) = (source, made, bitRate)
  }

  /// Whether there are fewer channels than in the source.
  public var isMixed: Bool { made.channels < source.channels }
}

/// The bit budget of an encoder, and whether it analyses all frames first.
///
/// Rates are in bit/s, with 1000 bits in a kilobit, as H.264, HEVC and AV1 define their levels.
public struct RateControl: Sendable, Hashable, Codable {
  /// Average bit rate; nil: as the quality requires.
  public var average: Int?
  /// The rate at which a decoder's buffer is filled, which bounds the bit rate over any longer time; nil: unbounded.
  public var maximum: Int?
  /// Size of that buffer in bits; nil: one second of `maximum`.
  public var buffer: Int?
  /// Whether all frames are encoded twice, first to find out how many bits each one needs.
  public var isTwoPass = false

  /// No bounds, one pass.
  public init() {}

  /// Supported bit rates and buffer sizes. Encoders count in kilobits, and FFmpeg's buffer sizes have 31 bits.
  public static let allowed = 1000...2_000_000_000

  /// Whether nothing is requested.
  public var isFree: Bool { self == RateControl() }

  /// The same with a buffer size.
  ///
  /// x264 and x265 ignore a maximum without a buffer. One second of the maximum is what the levels of HEVC allow, so
  /// that a maximum within a level stays in it.
  ///
  /// Source: ITU-T H.265 (2021), table A.8: MaxCPB is MaxBR times one second.
  public var settled: RateControl {
    var settled = self
    settled.buffer = buffer ?? maximum
    return settled
  }
}

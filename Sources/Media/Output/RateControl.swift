/// How many bits an encoder may spend, and whether it looks at all frames before.
///
/// Rates are in bit/s, with 1000 bits in a kilobit, as H.264, HEVC and AV1 define their levels.
public struct RateControl: Sendable, Hashable, Codable {
  /// Average bit rate; nil: whatever the quality needs.
  public var average: Int?
  /// The rate at which a decoder's buffer is filled, which bounds the bit rate over any longer time; nil: unbounded.
  public var maximum: Int?
  /// Size of that buffer in bits; nil: one second of `maximum`.
  public var buffer: Int?
  /// All frames are encoded twice: the first time to find out how many bits each of them needs.
  public var isTwoPass = false

  /// No bounds, one pass.
  public init() {}

  /// Bit rates and sizes of buffers that can be asked for. Encoders count in kilobits, FFmpeg's buffer sizes have 31 bits.
  public static let allowed = 1000...2_000_000_000

  /// Nothing is asked for.
  public var isFree: Bool { self == RateControl() }

  /// The same with the size of the buffer.
  ///
  /// x264 and x265 ignore a maximum without a buffer. One second of the maximum is what the levels of HEVC allow, so that
  /// a maximum within a level stays in it.
  ///
  /// Source: ITU-T H.265 (2021), table A.8: MaxCPB is MaxBR times one second.
  public var settled: RateControl {
    var settled = self
    settled.buffer = buffer ?? maximum
    return settled
  }
}

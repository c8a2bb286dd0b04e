/// A codec for streams that are encoded during playback.
public enum StreamCodec: String, Sendable, Hashable, CaseIterable {
  /// H.264, by x264.
  case h264
  /// HEVC, by x265.
  case hevc
  /// AV1, by libaom.
  case av1

  /// FFmpeg's name of the encoder. They hold no pictures back, and code key frames on request.
  ///
  /// SVT-AV1 is faster than libaom, but version 1.4 holds three pictures back and codes no key frame on request.
  public var encoder: String {
    switch self {
    case .h264: "libx264"
    case .hevc: "libx265"
    case .av1: "libaom-av1"
    }
  }

  /// Whether the linked FFmpeg has the encoder.
  public var isAvailable: Bool { Encoders.available[encoder] != nil }
}

internal import CFFmpeg
public import Frames

/// A requirement of an encoder that pictures do not meet.
public enum EncoderLimit: Sendable, Hashable {
  /// Width and height must be even, because chroma is subsampled.
  case evenSize
  /// Minimum picture size.
  case leastSize(Size)
  /// Maximum frames per second.
  case frameRate(Double)
}

extension Encoders {
  /// Encoders that refuse odd sizes if chroma is subsampled; others repeat the last column or row.
  private static let evenOnly: Set = ["libx264", "libx265", "libsvtav1"]
  /// Sources: x265, `x265_check_params`; SVT-AV1, `svt_av1_verify_settings`.
  private static let leastSizes = ["libx265": Size(width: 16, height: 16), "libsvtav1": Size(width: 64, height: 64)]
  /// Source: SVT-AV1, `svt_av1_verify_settings`.
  private static let frameRates = ["libsvtav1": 240.0]

  /// The first requirement of an encoder that a video does not meet; nil: none known.
  static func brokenLimit(of encoder: String, _ settings: MediaWriter.Settings) -> EncoderLimit? {
    let (size, layout) = (settings.size, settings.layout)
    let isEven = size.width % (1 << layout.chromaShiftX) == 0 && size.height % (1 << layout.chromaShiftY) == 0
    if !isEven, evenOnly.contains(encoder) || HardwareEncoder(encoder) != nil { return .evenSize }
    if let least = leastSizes[encoder], size.width < least.width || size.height < least.height {
      return .leastSize(least)
    }
    if let rate = settings.frameRate?.value, let limit = frameRates[encoder], rate > limit { return .frameRate(limit) }
    return nil
  }
}

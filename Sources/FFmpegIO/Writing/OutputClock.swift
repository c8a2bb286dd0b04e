internal import CFFmpeg
public import Frames
public import Media

/// The time base of an output, and its frame rate.
///
/// Timestamps keep the input's time base if the container stores a time for each frame and the encoder does not depend
/// on it. Otherwise frames are counted: the unit is one frame.
public struct OutputClock: Sendable, Hashable {
  /// Length in seconds of one unit.
  public let timeBase: Rational
  /// Frame rate; nil if unknown.
  public let frameRate: Rational?

  /// Encoders that derive rate control, or the signalled rate, from the time base, as if each frame lasted one unit.
  private static let counting: Set<String> = [
    "asv1", "asv2", "dnxhd", "dvvideo", "flv", "h261", "h263", "h263p", "libtheora", "libxvid", "mjpeg", "mpeg1video",
    "mpeg2video", "mpeg4", "msmpeg4", "msmpeg4v2", "roqvideo", "rv10", "rv20", "snow", "speedhq", "svq1", "vc2", "wmv1",
    "wmv2",
  ]
  /// Maximum denominator in MPEG-4 part 2 and related codecs.
  private static let largestDenominator = 65_535

  /// The clock for an output of one input stream.
  /// - Parameters:
  ///   - source: The input's stream.
  ///   - keepsTimes: Whether the container stores a time for each frame.
  ///   - encoder: FFmpeg's name; nil if the container has none.
  /// - Throws: `FFmpegError.unsupportedFrameRate` if the encoder does not support the input's rate.
  public init(for source: VideoStreamInfo, keepsTimes: Bool, encoder: String?) throws(FFmpegError) {
    let nominal = source.frameRate
    // For a variable rate, the real frame rate is a grid that contains all frames.
    let rates = source.hasVariableRate ? [source.realFrameRate] : [source.averageFrameRate, source.realFrameRate]
    let known = rates.compactMap(\.self).filter { $0.numerator > 0 && $0.denominator > 0 }
    if let encoder, let supported = Encoders.frameRates(of: encoder) {
      for rate in known {
        guard let match = supported.min(by: { rate.distance(to: $0) < rate.distance(to: $1) }),
          rate.distance(to: match) <= VideoStreamInfo.rateTolerance
        else { continue }
        (frameRate, timeBase) = (match, Rational(match.denominator, match.numerator))
        return
      }
      throw .unsupportedFrameRate(
        encoder: encoder, wanted: nominal, isVariable: source.hasVariableRate,
        supported: supported.sorted { $0.value < $1.value })
    }
    if !keepsTimes, let nominal, nominal.numerator > 0 {
      (frameRate, timeBase) = (nominal, Rational(nominal.denominator, nominal.numerator))
    } else if let encoder, Self.counting.contains(encoder), let rate = known.first(where: Self.isFrameRate) {
      (frameRate, timeBase) = (rate, Rational(rate.denominator, rate.numerator))
    } else if let encoder, Self.counting.contains(encoder), source.timeBase.denominator > Self.largestDenominator {
      (frameRate, timeBase) = (nominal, Rational(1, Self.largestDenominator))
    } else {
      (frameRate, timeBase) = (nominal, source.timeBase)
    }
  }

  /// Whether a reported rate is a frame rate rather than a time base in place of one.
  private static func isFrameRate(_ rate: Rational) -> Bool {
    rate.value <= 1000 && rate.numerator <= largestDenominator
  }
}

extension Encoders {
  /// The frame rates that an encoder supports; nil if it supports any.
  static func frameRates(of name: String) -> [Rational]? {
    guard let codec = unsafe avcodec_find_encoder_by_name(name), let list = unsafe hr_encoder_frame_rates(codec)
    else { return nil }
    var rates: [Rational] = []
    while unsafe list[rates.count].num > 0 { rates.append(unsafe list[rates.count].rational) }
    return rates.isEmpty ? nil : rates
  }
}

extension Rational {
  /// The relative distance of two rates.
  fileprivate func distance(to other: Rational) -> Double { abs(value / other.value - 1) }
}

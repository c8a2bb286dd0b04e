internal import CFFmpeg
public import Frames

/// The timecode of a file's first frame in its tags. Source: SMPTE ST 12-1.
public enum Timecode {
  /// The timecode of a later frame.
  /// - Parameters:
  ///   - text: "01:00:00:00", or "01:00:00;00" for drop-frame timecode.
  ///   - frames: Number of frames later.
  ///   - rate: Frame rate.
  ///   - framesPerPicture: Frames at this rate per frame of the text.
  /// - Returns: nil if the text is not a timecode, or the rate does not support it.
  public static func moved(_ text: String, by frames: Int, rate: Rational, framesPerPicture: Int = 1) -> String? {
    var start = AVTimecode()
    let before = Rational(rate.numerator, rate.denominator * framesPerPicture)
    guard let rate = rate.native, let before = before.native, let count = Int32(exactly: frames),
      unsafe av_timecode_init_from_string(&start, before, text, nil) >= 0
    else { return nil }
    if framesPerPicture > 1 {
      let (first, isTooLarge) = start.start.multipliedReportingOverflow(by: Int32(clamping: framesPerPicture))
      let flags = Int32(start.flags)
      guard unsafe !isTooLarge && av_timecode_init(&start, rate, flags, first, nil) >= 0 else { return nil }
    }
    // Days are not counted.
    start.flags |= AV_TIMECODE_FLAG_24HOURSMAX.rawValue
    var characters = [CChar](repeating: 0, count: Int(AV_TIMECODE_STR_SIZE))
    unsafe av_timecode_make_string(&start, &characters, count)
    return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension FrameTime {
  /// The time relative to `origin`, which is rounded to its time base.
  public func counted(from origin: FrameTime) -> FrameTime {
    guard let from = origin.timeBase.native, let own = timeBase.native else { return self }
    var result = self
    result.presentation =
      presentation.subtractingReportingOverflow(av_rescale_q(origin.presentation, from, own)).partialValue
    return result
  }
}

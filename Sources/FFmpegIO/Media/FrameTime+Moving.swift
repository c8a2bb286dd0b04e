internal import CFFmpeg
public import Frames

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

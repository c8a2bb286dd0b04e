/// When a frame is shown.
public struct FrameTime: Sendable, Hashable, Codable {
  /// Presentation time in units of `timeBase`.
  public var presentation: Int64
  /// Duration in units of `timeBase`; 0 if the container does not state it.
  public var duration: Int64
  /// Length of one unit in seconds.
  public var timeBase: Rational

  /// Presentation time and duration in units of `timeBase`.
  public init(presentation: Int64, duration: Int64, timeBase: Rational) {
    self.presentation = presentation
    self.duration = duration
    self.timeBase = timeBase
  }

  /// Presentation time in seconds.
  public var seconds: Double { Double(presentation) * timeBase.value }
}

/// When the frames of a piece are shown, exactly: Matroska rounds to milliseconds.
public struct PieceTimes: Sendable, Hashable {
  /// Presentation times in order, in units of the time base, without the offset that `MediaWriter.Settings.timeOrigin`
  /// leads to.
  public var presentations = CodedTimes()
  /// Durations in the same units and order; 0 where one is unknown.
  public var durations = CodedTimes()

  /// No frame by default.
  public init(presentations: CodedTimes = CodedTimes(), durations: CodedTimes = CodedTimes()) {
    self.presentations = presentations
    self.durations = durations
  }

  mutating func append(_ presentation: Int64, duration: Int64) {
    presentations.append(presentation)
    durations.append(duration)
  }
}

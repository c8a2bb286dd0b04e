/// The exact times of a piece's frames, which Matroska rounds to milliseconds.
public struct PieceTimes: Sendable, Hashable {
  /// Presentation times in order, in units of the time base, without the offset due to
  /// `MediaWriter.Settings.timeOrigin`.
  public var presentations = CodedTimes()
  /// Durations in the same units and order; 0: unknown.
  public var durations = CodedTimes()

  /// Empty by default.
  public init(presentations: CodedTimes = CodedTimes(), durations: CodedTimes = CodedTimes()) {
    self.presentations = presentations
    self.durations = durations
  }

  mutating func append(_ presentation: Int64, duration: Int64) {
    presentations.append(presentation)
    durations.append(duration)
  }
}

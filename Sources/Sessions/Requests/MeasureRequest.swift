/// A measurement of the light of an input.
public struct MeasureRequest: Sendable, Hashable, Codable {
  /// The input to measure.
  public var input: InputRequest
  /// The frames to measure.
  public var selection = FrameSelection()
  /// Excludes black bars from averages and percentiles.
  public var excludesLetterbox = false
  /// Percentile of a frame's pixels that defines the peak of a survey.
  var peakPercentile = 100.0
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  /// A measurement of every frame, letterbox included.
  public init(input: String) { self.input = InputRequest(input) }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try input.validate()
    try selection.validate()
    try processing.validate()
  }
}

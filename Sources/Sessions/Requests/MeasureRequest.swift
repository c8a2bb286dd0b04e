/// A measurement of the light of an input.
public struct MeasureRequest: Sendable, Hashable, Codable {
  /// What is measured.
  public var input: InputRequest
  /// The frames that are measured.
  public var selection = FrameSelection()
  /// Black bars are excluded from averages and percentiles.
  public var excludesLetterbox = false
  /// Percentage of the pixels of a frame that the peak of a survey is not exceeded by.
  var peakPercentile = 100.0
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  /// Every frame of an input, letterbox included.
  public init(input: String) { self.input = InputRequest(input) }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try input.validate()
    try selection.validate()
    try processing.validate()
  }
}

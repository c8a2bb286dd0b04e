/// A measurement of the light of an input.
public struct MeasureRequest: Sendable, Hashable, Codable {
  public var input: InputRequest
  public var selection = FrameSelection()
  /// Black bars are left out of averages and percentiles.
  public var excludesLetterbox = false
  public var processing = ProcessingRequest()

  public init(input: String) { self.input = InputRequest(input) }

  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try input.validate()
    try selection.validate()
    try processing.validate()
  }
}

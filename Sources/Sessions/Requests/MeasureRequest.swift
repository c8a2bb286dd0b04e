/// A measurement of the light of an input.
public struct MeasureRequest: Sendable, Hashable, Codable {
  public var input: InputRequest
  public var selection = FrameSelection()
  /// Black bars are left out of averages and percentiles.
  public var excludesLetterbox = false
  public var processing = ProcessingRequest()

  public init(input: String) { self.input = InputRequest(input) }
}

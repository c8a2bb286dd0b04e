internal import Frames
internal import Media

/// A request that reads an input.
protocol InputReading: Sendable, Hashable, Codable {
  var input: InputRequest { get }
  var selection: FrameSelection { get }

  /// Refuses values out of range.
  func validate() throws(Refusal)

  /// Refuses outputs that cannot be written, before the work and not after it.
  func checkFiles() throws
}

extension TranscodeRequest: InputReading {}
extension PictureRequest: InputReading {}
extension ScopesRequest: InputReading {}

/// A plan that was made for an input.
protocol InputPlan: RunnablePlan {
  associatedtype Request: InputReading

  var request: Request { get }
  /// What frames were decoded to.
  var decoded: PixelFormat { get }
  /// Of the input (`Checksum`).
  var inputChecksum: String { get }

  /// Opens the input with the streams and scaling that the plan needs.
  func openReader() throws -> any MediaInput
}

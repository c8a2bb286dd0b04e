public import Frames

/// One step from a source to a sink: a frame, with the data that precedes it in the file.
public struct StreamItem: Sendable {
  /// Data of other streams (audio, subtitles) that bypasses rendering unchanged.
  public var passing: (any PassingData)?
  /// nil if there is too much passing data to wait for the next frame, and after the last one.
  public var frame: CodedFrame?

  /// Passing data precedes the frame; without a frame it follows the last one.
  public init(passing: (any PassingData)? = nil, frame: CodedFrame? = nil) {
    self.passing = passing
    self.frame = frame
  }
}

/// Data that is not rendered.
public protocol PassingData: Sendable {}

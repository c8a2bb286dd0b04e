public import Frames

/// What travels from a source to a sink in one step: a frame, with what lies before it in the file.
public struct StreamItem: Sendable {
  /// Data of other streams (audio, subtitles) that goes past the renderer as it is.
  public var passing: (any PassingData)?
  /// nil where so much passes that it does not wait for the next frame, and after the last one.
  public var frame: CodedFrame?

  /// Passing data precedes the frame; without a frame it is what follows the last one.
  public init(passing: (any PassingData)? = nil, frame: CodedFrame? = nil) {
    self.passing = passing
    self.frame = frame
  }
}

/// Data that is not rendered.
public protocol PassingData: Sendable {}

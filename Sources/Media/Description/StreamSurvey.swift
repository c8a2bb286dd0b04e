public import Frames

/// What pictures all over a film state, found without decoding them.
public struct StreamSurvey: Sendable, Hashable {
  /// Different static metadata, in order of time.
  public var metadata: [HDRMetadata] = []
  /// Some pictures have closed captions.
  public var hasCaptions = false

  /// Nothing was looked at.
  public init() {}
}

public import Frames

/// Metadata of pictures throughout a film, found without decoding.
public struct StreamSurvey: Sendable, Hashable {
  /// Distinct static metadata, in order of time.
  public var metadata: [HDRMetadata] = []
  /// Whether some pictures have closed captions.
  public var hasCaptions = false

  /// An empty survey.
  public init() {}
}

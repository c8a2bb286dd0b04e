public import Frames

/// The HDR metadata that a picture of a pattern should carry; what is nil is not compared.
public struct ExpectedMetadata: Sendable, Hashable {
  /// HDR10 without a mastering display or light level is a fault.
  public var isRequired: Bool
  /// The light of the pattern's pixels as they are coded.
  public var contentLight: ContentLight?
  /// The same before chroma is subsampled, which others state.
  public var unsampledLight: ContentLight?
  /// SMPTE ST 2086 of the pattern's file.
  public var masteringDisplay: MasteringDisplay?

  /// By default metadata is required, and no values are compared.
  public init(
    isRequired: Bool = true, contentLight: ContentLight? = nil, unsampledLight: ContentLight? = nil,
    masteringDisplay: MasteringDisplay? = nil
  ) {
    self.isRequired = isRequired
    self.contentLight = contentLight
    self.unsampledLight = unsampledLight
    self.masteringDisplay = masteringDisplay
  }
}

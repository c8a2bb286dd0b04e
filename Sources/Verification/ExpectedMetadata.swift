public import Frames

/// The expected HDR metadata of a pattern's picture; nil values are not compared.
public struct ExpectedMetadata: Sendable, Hashable {
  /// Missing mastering display or light level in HDR10 is a fault.
  public var isRequired: Bool
  /// The light of the pattern's pixels as they are coded.
  public var contentLight: ContentLight?
  /// The same before chroma subsampling, which others state.
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

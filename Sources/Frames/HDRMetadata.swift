/// The HDR metadata that a stream or a frame carries.
public struct HDRMetadata: Sendable, Hashable {
  public var masteringDisplay: MasteringDisplay?
  public var contentLight: ContentLight?
  public var ambientViewing: AmbientViewing?
  public var dolbyVision: DolbyVisionConfiguration?
  /// A Dolby Vision RPU was seen, with or without a configuration box.
  public var hasDolbyVisionRPU: Bool
  /// SMPTE ST 2094-40 metadata (HDR10+) was seen.
  public var hasHDR10Plus: Bool

  public init(
    masteringDisplay: MasteringDisplay? = nil, contentLight: ContentLight? = nil,
    ambientViewing: AmbientViewing? = nil, dolbyVision: DolbyVisionConfiguration? = nil,
    hasDolbyVisionRPU: Bool = false, hasHDR10Plus: Bool = false
  ) {
    self.masteringDisplay = masteringDisplay
    self.contentLight = contentLight
    self.ambientViewing = ambientViewing
    self.dolbyVision = dolbyVision
    self.hasDolbyVisionRPU = hasDolbyVisionRPU
    self.hasHDR10Plus = hasHDR10Plus
  }

  /// This metadata with the gaps filled from `other`: a frame's own values go before its stream's.
  public func merged(over other: HDRMetadata) -> HDRMetadata {
    HDRMetadata(
      masteringDisplay: masteringDisplay ?? other.masteringDisplay,
      contentLight: contentLight ?? other.contentLight,
      ambientViewing: ambientViewing ?? other.ambientViewing,
      dolbyVision: dolbyVision ?? other.dolbyVision,
      hasDolbyVisionRPU: hasDolbyVisionRPU || other.hasDolbyVisionRPU,
      hasHDR10Plus: hasHDR10Plus || other.hasHDR10Plus)
  }
}

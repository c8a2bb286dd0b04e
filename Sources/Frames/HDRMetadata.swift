/// The HDR metadata that a stream or a frame carries.
public struct HDRMetadata: Sendable, Hashable, Codable {
  /// Mastering display colour volume, SMPTE ST 2086.
  public var masteringDisplay: MasteringDisplay?
  /// MaxCLL and MaxFALL, CTA-861.3.
  public var contentLight: ContentLight?
  /// The viewing environment that the content was made for.
  public var ambientViewing: AmbientViewing?
  /// The Dolby Vision configuration record of the container.
  public var dolbyVision: DolbyVisionConfiguration?
  /// Whether a Dolby Vision RPU was found, with or without a configuration record.
  public var hasDolbyVisionRPU: Bool
  /// SMPTE ST 2094-40.
  public var hdr10Plus: HDR10PlusMetadata?
  /// The ITU-T T.35 message of `hdr10Plus`, from its country code on, for exact copies.
  public var hdr10PlusMessage: [UInt8]?
  /// Whether the container holds the frame's HDR10+ beside the picture, so that there is no message to copy.
  public var lacksHDR10PlusMessage: Bool
  /// SMPTE ST 2094-50.
  public var adaptiveToneMap: AdaptiveToneMap?
  /// Luminance in cd/m² of 1.0 in linear samples; nil if not stated.
  public var linearUnit: Double?

  /// Nothing is known unless specified.
  public init(
    masteringDisplay: MasteringDisplay? = nil, contentLight: ContentLight? = nil,
    ambientViewing: AmbientViewing? = nil, dolbyVision: DolbyVisionConfiguration? = nil,
    hasDolbyVisionRPU: Bool = false, hdr10Plus: HDR10PlusMetadata? = nil, hdr10PlusMessage: [UInt8]? = nil,
    lacksHDR10PlusMessage: Bool = false, adaptiveToneMap: AdaptiveToneMap? = nil, linearUnit: Double? = nil
  ) {
    self.masteringDisplay = masteringDisplay
    self.contentLight = contentLight
    self.ambientViewing = ambientViewing
    self.dolbyVision = dolbyVision
    self.hasDolbyVisionRPU = hasDolbyVisionRPU
    self.hdr10Plus = hdr10Plus
    self.hdr10PlusMessage = hdr10PlusMessage
    self.lacksHDR10PlusMessage = lacksHDR10PlusMessage
    self.adaptiveToneMap = adaptiveToneMap
    self.linearUnit = linearUnit
  }

  /// This metadata with gaps filled from `other`: a frame's values take precedence over its stream's.
  public func merged(over other: HDRMetadata) -> HDRMetadata {
    HDRMetadata(
      masteringDisplay: masteringDisplay ?? other.masteringDisplay,
      contentLight: contentLight ?? other.contentLight,
      ambientViewing: ambientViewing ?? other.ambientViewing,
      dolbyVision: dolbyVision ?? other.dolbyVision,
      hasDolbyVisionRPU: hasDolbyVisionRPU || other.hasDolbyVisionRPU,
      hdr10Plus: hdr10Plus ?? other.hdr10Plus, hdr10PlusMessage: hdr10PlusMessage ?? other.hdr10PlusMessage,
      lacksHDR10PlusMessage: lacksHDR10PlusMessage || other.lacksHDR10PlusMessage,
      adaptiveToneMap: adaptiveToneMap ?? other.adaptiveToneMap,
      linearUnit: linearUnit ?? other.linearUnit)
  }
}

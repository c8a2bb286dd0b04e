/// What the Dolby Vision configuration box of a stream says about its layers.
public struct DolbyVisionConfiguration: Sendable, Hashable, Codable {
  public var profile: Int
  public var level: Int
  public var hasRPU: Bool
  public var hasEnhancementLayer: Bool
  public var hasBaseLayer: Bool
  /// `dv_bl_signal_compatibility_id`: 1 HDR10, 2 SDR, 4 HLG, 6 Blu-ray HDR10, 0 none.
  public var baseLayerCompatibility: Int

  public init(
    profile: Int, level: Int, hasRPU: Bool, hasEnhancementLayer: Bool, hasBaseLayer: Bool,
    baseLayerCompatibility: Int
  ) {
    self.profile = profile
    self.level = level
    self.hasRPU = hasRPU
    self.hasEnhancementLayer = hasEnhancementLayer
    self.hasBaseLayer = hasBaseLayer
    self.baseLayerCompatibility = baseLayerCompatibility
  }
}

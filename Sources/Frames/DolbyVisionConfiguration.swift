/// The Dolby Vision configuration record of a stream.
public struct DolbyVisionConfiguration: Sendable, Hashable, Codable {
  /// `dv_profile`: 5, 7, 8 or 10 in current files.
  public var profile: Int
  /// `dv_level`, which limits pixels per second and width: 1 to 13.
  public var level: Int
  /// `rpu_present_flag`: frames have a reference processing unit.
  public var hasRPU: Bool
  /// `el_present_flag`: whether there is an enhancement layer, as in profile 7.
  public var hasEnhancementLayer: Bool
  /// `bl_present_flag`: whether there is a base layer.
  public var hasBaseLayer: Bool
  /// `dv_bl_signal_compatibility_id`: 1 HDR10, 2 SDR, 4 HLG, 6 Blu-ray HDR10, 0 none.
  public var baseLayerCompatibility: Int

  /// The fields of `dvcC` or `dvvC`, not validated.
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

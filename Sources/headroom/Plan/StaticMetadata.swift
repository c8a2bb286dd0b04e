internal import ColorScience
internal import Frames
internal import ToneMapping

/// The mastering display and content light of an HDR10 output.
///
/// Content whose range is not changed keeps the source's values as they are. Else the peak is the output's, and MaxFALL
/// is what the tone curve makes of the source's: for a curve that is concave no frame's average can be above that.
struct StaticMetadata {
  let metadata: HDRMetadata

  init(_ source: SourcePlan, _ mapping: DisplayMapping.Settings, _ mapper: ToneMapper?) {
    let peak = mapping.display.peak
    let isUnchanged = source.color.transfer == .pq && (mapping.contentPeak ?? 0) <= peak
    let display = Self.believed(source)
    let light = source.interpretation.metadata?.maxContentLight == nil ? nil : source.metadata.contentLight
    if isUnchanged {
      metadata = HDRMetadata(
        masteringDisplay: display ?? .bt2020(peak: mapping.contentPeak ?? peak),
        contentLight: light ?? ContentLight(maxCLL: Self.nits(mapping.contentPeak ?? peak), maxFALL: 0))
      return
    }
    var mastering = display ?? .bt2020(peak: peak)
    mastering.maxLuminance = UInt32((peak * MasteringDisplay.luminanceUnits).rounded())
    let fall = Double(light?.maxFALL ?? 0)
    let mappedFall = mapper.map { $0.map(SIMD3(repeating: fall)).max() } ?? 0
    metadata = HDRMetadata(
      masteringDisplay: mastering,
      contentLight: ContentLight(
        maxCLL: min(light?.maxCLL ?? .max, Self.nits(peak)), maxFALL: fall > 0 ? Self.nits(mappedFall) : 0))
  }

  /// The source's mastering display, unless it was not believed.
  private static func believed(_ source: SourcePlan) -> MasteringDisplay? {
    guard let display = source.metadata.masteringDisplay,
      display.maxNits == source.interpretation.metadata?.maxLuminance
    else { return nil }
    return display
  }

  private static func nits(_ value: Double) -> UInt16 { UInt16(min(max(value, 0), 10_000).rounded(.up)) }
}

extension MasteringDisplay {
  /// A display of BT.2020 primaries and D65 with the black that is assumed where nothing says it.
  static func bt2020(peak: Double) -> MasteringDisplay {
    let space = RGBSpace.bt2020
    func units(_ point: ColorScience.Chromaticity) -> Chromaticity {
      Chromaticity(
        x: UInt16((point.x * chromaticityUnits).rounded()), y: UInt16((point.y * chromaticityUnits).rounded()))
    }
    return MasteringDisplay(
      red: units(space.red), green: units(space.green), blue: units(space.blue), white: units(space.white),
      maxLuminance: UInt32((peak * luminanceUnits).rounded()),
      minLuminance: UInt32((EDRMetadata.defaultMinLuminance * luminanceUnits).rounded()))
  }
}

internal import ColorScience
internal import Foundation
internal import Frames
internal import ToneMapping

/// The mastering display and content light of an HDR10 output.
///
/// Light that the mapping leaves as it is keeps the source's values as they are. Else the display is that which was
/// rendered for, and MaxCLL and MaxFALL are what the tone curve makes of the source's; for a concave curve no frame's
/// average can be above that.
struct StaticMetadata {
  let metadata: HDRMetadata

  init(_ source: SourcePlan, _ mapping: DisplayMapping.Settings, _ mapper: ToneMapper?) {
    let edr = source.interpretation.metadata
    let believed = source.metadata.masteringDisplay.flatMap { edr?.believes($0) == true ? $0 : nil }
    let light = edr?.maxContentLight == nil ? nil : source.metadata.contentLight
    let peak = mapping.contentPeak ?? mapping.display.sdrWhite
    let gray = { (nits: Double) in mapper?.map(SIMD3(repeating: nits)).max() ?? nits }
    if source.color.transfer == .pq, Self.isIdentity(gray, upTo: peak) {
      metadata = HDRMetadata(
        masteringDisplay: believed ?? .bt2020(peak: peak),
        contentLight: light ?? ContentLight(roundingUp: peak, maxFALL: 0))
      return
    }
    var mastering = believed ?? .bt2020(peak: mapping.display.peak)
    mastering.maxLuminance = UInt32((mapping.display.peak * MasteringDisplay.luminanceUnits).rounded())
    if mastering.minLuminance >= mastering.maxLuminance { mastering.minLuminance = 0 }
    metadata = HDRMetadata(
      masteringDisplay: mastering,
      contentLight: ContentLight(roundingUp: gray(peak), maxFALL: gray(Double(light?.maxFALL ?? 0))))
  }

  /// Greys from 0.01 cd/m² to `peak` come out as they went in, to a thousandth.
  private static func isIdentity(_ gray: (Double) -> Double, upTo peak: Double) -> Bool {
    (0...64).allSatisfy { step in
      let nits = 0.01 * pow(peak / 0.01, Double(step) / 64)
      return (gray(nits) / nits - 1).magnitude < 1e-3
    }
  }
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

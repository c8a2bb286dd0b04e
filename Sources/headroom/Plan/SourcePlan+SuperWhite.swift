internal import ColorScience
internal import Frames
internal import Rendering
internal import ToneMapping

extension SourcePlan {
  /// The largest signal that its codes stand for: above 1 where there is super-white (decision 0016).
  var reach: Double { interpretation.transfer.reach(in: color.range) }

  /// The light of that signal over that of signal 1: of SDR as BT.1886 shows it, of HLG as a display does.
  /// - Parameter peak: Nominal peak in cd/m² of the display that HLG's OOTF is made for.
  func superWhite(peak: Double = EDRMetadata.defaultMaxLuminance) -> Double {
    let transfer = interpretation.transfer
    let light = transfer.peak(reach: reach) / transfer.peak
    guard transfer == .hlg else { return light }
    return HLG.ootf(SIMD3(repeating: light), peak: 1, gamma: HLG.gamma(peak: peak)).x
  }
}

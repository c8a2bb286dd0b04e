internal import ColorScience
public import Rendering

/// The stage before HLG coding: converts display light back to scene light with the inverse OOTF.
///
/// Source: ITU-R BT.2100-2, table 5 and note 5i; ITU-R BT.2408-7, 6.
public struct InverseOOTF: Stage {
  private let sdrWhite: Double
  private let peak: Double
  private let gamma: Double
  private let compiled: ColorTransform
  public var mapping: ColorTransform? { compiled }

  /// Creates the stage for light of a display.
  /// - Parameter display: The display of the input bands: 1.0 is its SDR white; its peak is the nominal peak of the HLG
  ///   signal.
  public init(display: Display) {
    let (white, peak) = (display.sdrWhite, display.peak)
    let gamma = HLG.gamma(peak: peak)
    sdrWhite = white
    self.peak = peak
    self.gamma = gamma
    let gain = GainTable.overLuminance { luminance in
      HLG.inverseOOTF(SIMD3(repeating: luminance * white), peak: peak, gamma: gamma).x / luminance
    }
    compiled = ColorTransform(tone: .luminanceGain(gain, weights: HLG.luminance), gamut: .keep)
  }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    HLG.inverseOOTF(rgb * sdrWhite, peak: peak, gamma: gamma)
  }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe compiled.process(band, tier: tier)
  }
}

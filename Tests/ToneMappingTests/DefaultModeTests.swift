import ColorScience
import Frames
import Rendering
import Testing
import ToneMapping

/// The default mode: HDR10 descriptors at displays of all headrooms, through the stage that renders. Independent values are in
/// `SystemCurveTests`.
@Suite struct DefaultModeTests {
  private static let headrooms = [1.0, 2, 4, 8, 16]
  private static let peaks = [1000.0, 4000, 10_000]

  private static func mapping(_ peak: Double, _ headroom: Double) -> DisplayMapping {
    DisplayMapping(
      .init(
        metadata: .hdr10(minLuminance: 0.005, maxLuminance: peak), gamut: .perceptual,
        display: Display(sdrWhite: 100, peak: 100 * headroom, primaries: .displayP3)))
  }

  /// A grey of cd/m² in units of SDR white.
  private static func shown(_ mapping: DisplayMapping, _ nits: Double) -> Double {
    mapping.reference(SIMD3(repeating: nits / 100)).y
  }

  /// The gamut map does not change greys: the stage shows what the curve gives.
  @Test func greys() {
    for peak in Self.peaks {
      for headroom in Self.headrooms {
        let mapping = Self.mapping(peak, headroom)
        for nits in [26.0, 100, 203, 500, 1000, 2000, 4000, 10_000] where nits <= peak {
          let expected = grey(.system, conditions(peak, to: 100 * headroom, contentBlack: 0.005), nits) / 100
          #expect(abs(Self.shown(mapping, nits) - expected) < 1e-9, "\(peak) at \(headroom): \(nits)")
        }
      }
    }
  }

  /// A display's black is lifted to once, whether the curve does it or the adaptation: what is nearly black stays so.
  @Test(arguments: ToneCurve.all) func blackIsLiftedOnce(_ curve: ToneCurve) {
    let mapping = DisplayMapping(
      .init(
        metadata: .hdr10(minLuminance: 0, maxLuminance: 1000), curve: curve,
        display: Display(sdrWhite: 100, peak: 100, black: 0.1, primaries: .bt709)))
    #expect(100 * Self.shown(mapping, 1e-4) < 0.01)
  }

  @Test func everyCell() {
    for peak in Self.peaks {
      for headroom in Self.headrooms {
        let mapping = Self.mapping(peak, headroom)
        let shown = (0...200).map { Self.shown(mapping, peak * Double($0) / 200) }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 })
        #expect(shown.allSatisfy { $0 <= headroom * (1 + 1e-12) })
        guard headroom * 203 >= peak else { continue }
        // Identity: reference white is shown as SDR white.
        for (step, value) in shown.enumerated() {
          #expect(abs(value - peak * Double(step) / 200 / 203) < 1e-9)
        }
      }
    }
  }
}

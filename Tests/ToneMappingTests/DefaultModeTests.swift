import ColorScience
import Frames
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

  /// SMPTE ST 2094-50, C.3.8, for reference white at 203 cd/m²: content of 1000, 4000 and 10,000 cd/m².
  private static let table: [(peak: Double, headroom: Double, nits: [Double], shown: [Double])] = [
    (1000, 1, [26, 100, 203, 500, 1000], [0.0640, 0.2463, 0.5, 0.8067, 1]),
    (1000, 2, [26, 100, 203, 500, 1000], [0.1045, 0.4020, 0.8160, 1.4957, 2]),
    (1000, 4, [26, 100, 203, 500, 1000], [0.1281, 0.4926, 1, 2.2684, 4]),
    (1000, 8, [26, 100, 203, 500, 1000], [0.1281, 0.4926, 1, 2.4631, 4.9261]),
    (4000, 1, [26, 100, 203, 500, 1000, 2000, 4000], [0.0640, 0.2463, 0.5, 0.6558, 0.7565, 0.8711, 1]),
    (4000, 2, [26, 100, 203, 500, 1000, 2000, 4000], [0.1045, 0.4020, 0.8160, 1.1708, 1.4136, 1.6902, 2]),
    (4000, 4, [26, 100, 203, 500, 1000, 2000, 4000], [0.1281, 0.4926, 1, 1.6492, 2.2392, 3.0089, 4]),
    (4000, 8, [26, 100, 203, 500, 1000, 2000, 4000], [0.1281, 0.4926, 1, 1.9633, 3.1546, 5.0389, 8]),
    (4000, 16, [26, 100, 203, 500, 1000, 2000, 4000], [0.1281, 0.4926, 1, 2.3373, 4.4441, 8.4383, 16]),
    (
      10_000, 4, [26, 100, 203, 500, 1000, 2000, 4000, 10_000],
      [0.1281, 0.4926, 1, 1.4448, 1.8155, 2.2942, 2.9153, 4]
    ),
  ]

  /// Greys, which the gamut map leaves as they are, to four decimals.
  @Test func table() {
    for row in Self.table {
      let mapping = Self.mapping(row.peak, row.headroom)
      for (nits, expected) in zip(row.nits, row.shown) {
        #expect(abs(Self.shown(mapping, nits) - expected) < 0.0001, "\(row.peak) at \(row.headroom): \(nits)")
      }
    }
  }

  @Test func everyCell() {
    for peak in Self.peaks {
      for headroom in Self.headrooms {
        let mapping = Self.mapping(peak, headroom)
        let shown = (0...200).map { Self.shown(mapping, peak * Double($0) / 200) }
        // For content of 10,000 cd/m² at low headrooms the standard's own curve, through eight points, falls by 5 %.
        let fall = peak == 10_000 && headroom <= 2 ? 0.051 : 0
        var highest = 0.0
        for value in shown {
          #expect(value >= highest * (1 - fall))
          highest = max(highest, value)
        }
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

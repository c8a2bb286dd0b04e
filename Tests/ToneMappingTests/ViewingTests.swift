import ColorScience
import Frames
import Glibc
import Rendering
import Testing

import ToneMapping

/// Black and surround of a display.
@Suite struct ViewingTests {
  /// A grey of PQ that fits the display, in cd/m².
  private static func shown(
    _ nits: Double, _ display: Display, _ metadata: EDRMetadata = .hdr10(minLuminance: 0, maxLuminance: 100),
    curve: ToneCurve = .clip
  ) -> Double {
    let settings = DisplayMapping.Settings(metadata: metadata, curve: curve, display: display)
    return DisplayMapping(settings).reference(SIMD3(repeating: nits / 100)).x * display.sdrWhite
  }

  /// From the formulas of decision 0023, by numpy.
  @Test(arguments: [
    (0.1, 100, 0.01, 0.050838), (0.1, 100, 0.1, 0.218551), (0.1, 100, 1, 1.240006), (0.1, 100, 50, 49.960356),
    (1, 100, 0.01, 0.234389), (1, 100, 1, 3.058896), (1, 100, 99, 98.993847), (1, 100, 100, 100),
    (0.05, 600, 1, 1.340978), (0.05, 600, 100, 100.203924),
  ])
  func vectors(_ black: Double, _ peak: Double, _ nits: Double, _ expected: Double) {
    let display = Display(sdrWhite: 100, peak: peak, black: black, primaries: .bt2020)
    #expect((Self.shown(nits, display) - expected).magnitude < 1e-5 * (1 + expected))
    // A surround that is reflected as such a black.
    let lit = Display(sdrWhite: 100, peak: peak, surround: 5 + black / 0.005, primaries: .bt2020)
    #expect((Self.shown(nits, lit) - expected).magnitude < 1e-5 * (1 + expected))
  }

  /// Black is 0, white stays, and nothing brighter becomes darker, by every curve and for every black.
  @Test(arguments: ToneCurve.all.indices.filter { ToneCurve.all[$0] != .bt2446a }, [0.001, 0.1, 1, 20])
  func isMonotone(_ curve: Int, _ black: Double) {
    // Content that is compressed, and content that fits.
    for (peak, displayPeak) in [(1000.0, 100.0), (203, 100), (1000, 1000)] {
      let display = Display(sdrWhite: 100, peak: displayPeak, black: black, primaries: .bt2020)
      let settings = DisplayMapping.Settings(
        metadata: .hdr10(minLuminance: 0, maxLuminance: peak), curve: ToneCurve.all[curve], display: display)
      let mapping = DisplayMapping(settings)
      let shown = (0...2000).map { mapping.reference(SIMD3(repeating: peak / 100 * raise(Double($0) / 2000, 4))).x }
      #expect(shown[0] < 1e-6, "\(peak)")
      if displayPeak == 100 { #expect((shown[2000] - 1).magnitude < 1e-9, "\(peak)") }
      #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 }, "\(peak)")
      // Shadows stay apart.
      #expect(zip(shown, shown.dropFirst()).dropFirst(300).prefix(700).allSatisfy { $0 < $1 }, "\(peak)")
    }
  }

  /// HLG's own OOTF for the display compresses nothing, so nothing is desaturated or lifted twice.
  @Test func ootfOfTheDisplay() {
    var settings = DisplayMapping.Settings(
      metadata: .hlg, display: Display(sdrWhite: 400, peak: 1000, primaries: .bt2020), ootf: .display)
    let orange = SIMD3(1, 0.4, 0.05)
    let standard = DisplayMapping(settings).reference(orange)
    settings.highlightDesaturation = 0
    #expect(DisplayMapping(settings).reference(orange) == standard)
    settings.display.black = 0.1
    for curve in [ToneCurve.bt2390, .system] {
      settings.curve = curve
      #expect(DisplayMapping(settings).reference(SIMD3(repeating: 0.02)).x > 0, "\(curve.name)")
    }
  }

  /// A surround no brighter than that of the content changes nothing but the system gamma of HLG.
  @Test func darkSurround() {
    for nits in [0.01, 1, 50] {
      let display = Display(sdrWhite: 100, peak: 100, surround: 1, primaries: .bt2020)
      #expect((Self.shown(nits, display) - nits).magnitude < 1e-9)
    }
  }

  /// BT.2390, 6.2: 1.2 times 0.98 to the power of log2(surround / 5), relative to the surround that the content states.
  @Test(arguments: [
    (5.0, nil, 1.2), (100, nil, 1.0996664521), (64, nil, 1.1140639511), (100, 100, 1.2), (5, 100, 1.3094878135),
  ])
  func systemGamma(_ surround: Double, _ content: Double?, _ gamma: Double) throws {
    let illuminance = content.map { UInt32(($0 * .pi * 10_000).rounded()) }
    let ambient = illuminance.map { AmbientViewing(illuminance: $0, lightX: 15_635, lightY: 16_450) }
    var display = Display(sdrWhite: 203, peak: 1000, surround: surround, primaries: .bt2020)
    display.reflectance = 0
    let metadata = EDRMetadata.describing(transfer: .hlg, metadata: HDRMetadata(ambientViewing: ambient))
    let mapping = DisplayMapping(DisplayMapping.Settings(metadata: metadata, display: display))
    let shown = mapping.reference(SIMD3(repeating: 0.1)).x * 203
    #expect((shown / (1000 * pow(10, -gamma)) - 1).magnitude < 1e-4)
  }

  /// What a BT.1886 display of that black shows of the signal is the light, above its black.
  @Test(arguments: [(0.001, 0.01, 0.1021802), (0.001, 0.5, 0.7345375), (0.01, 0.1, 0.2934126), (0.01, 1, 1)])
  func coding(_ black: Double, _ light: Double, _ signal: Double) {
    let transfer = SignalTransfer.bt1886Black(black, peak: 1)
    #expect((transfer.signal(fromLight: light) - signal).magnitude < 1e-7)
    #expect((transfer.light(fromSignal: signal) - light).magnitude < 1e-6)
    #expect(transfer.signal(fromLight: 0) == 0 && (transfer.signal(fromLight: 2) - 1).magnitude < 1e-12)
  }
}

import ColorScience
import Rendering
import Testing

import ToneMapping

/// The expansion of SDR, and exposure.
@Suite struct ExpansionTests {
  private static func settings(
    _ metadata: EDRMetadata? = nil, primaries: RGBSpace = .bt709, to display: Display, _ exposure: Double = 0
  ) -> DisplayMapping.Settings {
    var settings = DisplayMapping.Settings(
      metadata: metadata, primaries: primaries, gamut: .clip, display: display)
    settings.exposure = exposure
    return settings
  }

  private static func expansion(to peak: Double, white: Double = 203) -> DisplayMapping {
    var settings = settings(to: Display(sdrWhite: white, peak: peak, primaries: .bt2020))
    settings.isExpanded = true
    return DisplayMapping(settings)
  }

  /// From the formulas of decision 0032, inverted by bisection in Python.
  @Test(arguments: [
    (1000, 0.18, 70.3102), (1000, 0.5, 222.4006), (1000, 0.75, 499.7256), (1000, 0.9, 773.8969), (400, 0.9, 278.9768),
    (4000, 0.9, 2273.3584), (1000, 1, 1000), (203, 0.5, 101.5),
  ])
  func vectors(_ peak: Double, _ signal: Double, _ nits: Double) {
    for white in [100, 203.0] {
      let gray = Self.expansion(to: peak, white: white).reference(SIMD3(repeating: signal))
      #expect((gray * white - SIMD3(repeating: nits)).magnitude < 1e-4)
    }
  }

  /// The default curve gives the content back.
  @Test(arguments: [203, 400, 1000, 2000])
  func roundTrip(_ peak: Double) {
    let there = Self.expansion(to: peak)
    let back = DisplayMapping(
      Self.settings(
        .hdr10(minLuminance: 0, maxLuminance: peak, opticalOutputScale: 203), primaries: .bt2020,
        to: Display(sdrWhite: 100, peak: 100, primaries: .bt709)))
    var largest = 0.0
    for red in 0...8 {
      for green in 0...8 {
        for blue in 0...8 {
          let rgb = SIMD3(Double(red), Double(green), Double(blue)) / 8
          let result = back.reference(there.reference(rgb))
          largest = max(largest, ICtCp.deltaEITP(Self.ictcp(rgb), Self.ictcp(result)))
        }
      }
    }
    #expect(largest < 1e-3)
  }

  private static func ictcp(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    ICtCp.fromNits(pointwiseMax(RGBSpace.conversion(from: .bt709, to: .bt2020) * rgb * 100, SIMD3()))
  }

  /// An exposure is the same as brighter content.
  @Test(arguments: [-2.5, -1, 0.5, 3])
  func exposure(_ stops: Double) {
    let gain = stops < 0 ? 1 / raise(2, -stops) : raise(2, stops)
    let colors = [SIMD3(0.5, 0.5, 0.5), SIMD3(0.9, 0.2, 0.4), SIMD3(0.01, 0.3, 0.02)]
    let sdr = Display(sdrWhite: 100, peak: 100, primaries: .bt709)
    for display in [sdr, Display(sdrWhite: 203, peak: 600, primaries: .bt2020)] {
      let exposed = DisplayMapping(
        Self.settings(.hdr10(minLuminance: 0, maxLuminance: 1000), primaries: .bt2020, to: display, stops))
      let brighter = DisplayMapping(
        Self.settings(.hdr10(minLuminance: 0, maxLuminance: 1000 * gain), primaries: .bt2020, to: display))
      for rgb in colors { #expect((exposed.reference(rgb) - brighter.reference(rgb * gain)).magnitude < 1e-9) }
    }
    // Where everything fits; HLG is multiplied as it is shown, after the OOTF.
    let large = Display(sdrWhite: 203, peak: 10_000, primaries: .bt2020)
    for metadata in [nil, EDRMetadata.hlg] {
      let still = DisplayMapping(Self.settings(metadata, primaries: .bt2020, to: large))
      let exposed = DisplayMapping(Self.settings(metadata, primaries: .bt2020, to: large, stops))
      for rgb in colors { #expect((exposed.reference(rgb) - still.reference(rgb) * gain).magnitude < 1e-9 * gain) }
    }
  }
}

extension SIMD3<Double> {
  fileprivate var magnitude: Double { Swift.max(abs(x), abs(y), abs(z)) }
}

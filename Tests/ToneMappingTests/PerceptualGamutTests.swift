import ColorScience
import Frames
import Glibc
import Testing

import Rendering
import ToneMapping

/// The bars of decision 0032, on the `Double` reference; `tools/check-picture` checks the same map with a model of its own.
@Suite struct PerceptualGamutTests {
  static let targets = [RGBSpace.bt709, .displayP3]
  static let mappings = targets.flatMap { target in
    [1, 4.0].map { GamutMapping(method: .perceptual, source: .bt2020, target: target, headroom: $0) }
  }

  /// Colours on the edges of the RGB cube, with their largest component at 1: `count` hues from red over yellow.
  static func hues(_ count: Int, _ space: RGBSpace) -> [SIMD3<Double>] {
    let toBT2020 = RGBSpace.conversion(from: space, to: .bt2020)
    return (0..<count).map { index in
      let turn = Double(index) / Double(count) * 6
      func component(_ center: Double) -> Double {
        let away = ((turn - center + 9).truncatingRemainder(dividingBy: 6) - 3).magnitude
        return min(max(2 - away, 0), 1)
      }
      let color = toBT2020 * SIMD3(component(0), component(2), component(4))
      let clipped = pointwiseMax(color, SIMD3())
      return clipped / clipped.max()
    }
  }

  static func ictcp(_ light: SIMD3<Double>, _ space: RGBSpace) -> SIMD3<Double> {
    ICtCp.fromNits(pointwiseMax(RGBSpace.conversion(from: space, to: .bt2020) * light * 100, SIMD3()))
  }

  static func deltaE(_ light: SIMD3<Double>, _ space: RGBSpace, _ content: SIMD3<Double>) -> Double {
    ICtCp.deltaEITP(ictcp(light, space), ictcp(content, .bt2020))
  }

  static func chroma(_ light: SIMD3<Double>, _ space: RGBSpace) -> Double {
    let color = ictcp(light, space)
    return 720 * (color.y * color.y / 4 + color.z * color.z).squareRoot()
  }

  /// Oklab's hue of BT.2020 light. Source: B. Ottosson, "A perceptual color space for image processing" (2020).
  static func oklabHue(_ light: SIMD3<Double>, _ space: RGBSpace) -> Double {
    let cones =
      Matrix3(
        SIMD3(0.8189330101, 0.3618667424, -0.1288597137), SIMD3(0.0329845436, 0.9293118715, 0.0361456387),
        SIMD3(0.0482003018, 0.2643662691, 0.6338517070)) * (space.rgbToXYZ * light)
    let roots = SIMD3(cbrt(cones.x), cbrt(cones.y), cbrt(cones.z))
    let a = (SIMD3(1.9779984951, -2.4285922050, 0.4505937099) * roots).sum()
    let b = (SIMD3(0.0259040371, 0.7827717662, -0.8086757660) * roots).sum()
    return atan2(b, a) * 180 / .pi
  }

  /// Below the peak, the edge of BT.2020 keeps its hue in Oklab as a clip of components does, to a degree, and as well in the mean.
  @Test func hueStays() {
    let clip = GamutMapping(method: .clip, source: .bt2020, target: .bt709, headroom: 1)
    var sums = SIMD2<Double>()
    for rgb in Self.hues(48, .bt2020) {
      for level in [0.01, 0.1, 0.5] {
        func shift(_ mapping: GamutMapping) -> Double {
          let before = Self.oklabHue(rgb, .bt2020)
          let after = Self.oklabHue(mapping.map(rgb * level), .bt709)
          return ((after - before + 540).truncatingRemainder(dividingBy: 360) - 180).magnitude
        }
        let shifts = SIMD2(shift(Self.mappings[0]), shift(clip))
        #expect(shifts.x < shifts.y + 1, "\(rgb) \(level): \(shifts)")
        sums += shifts
      }
    }
    #expect(sums.x < 1.01 * sums.y, "\(sums)")
  }

  /// Colours within the display's gamut keep their hue up to its peak. Brighter skin turns yellower, as film does, and the sky hardly turns.
  @Test(arguments: [(SIMD3(0.8, 0.45, 0.32), 13.0), (SIMD3(0.35, 0.17, 0.1), 13), (SIMD3(0.25, 0.45, 0.85), 4)])
  func skinAndSkyKeepTheirHue(_ color: SIMD3<Double>, _ bound: Double) {
    let toBT2020 = RGBSpace.conversion(from: .bt709, to: .bt2020)
    let settings = DisplayMapping.Settings(
      metadata: .hdr10(minLuminance: 0, maxLuminance: 4000),
      display: Display(sdrWhite: 100, peak: 100, primaries: .bt709))
    for level in [0.1, 0.8, 1, 1.2, 3, 20] {
      let light = toBT2020 * color * level
      let mapped = light * min(1, 1 / light.max())
      let shift = Self.oklabHue(Self.mappings[0].map(mapped), .bt709) - Self.oklabHue(mapped, .bt2020)
      #expect(shift.magnitude < (level <= 1 ? 1e-6 : bound), "\(level): \(shift)")
      if color.z < color.x { #expect(shift > -1e-6, "\(level): \(shift)") }
      let whole = Self.oklabHue(DisplayMapping(settings).reference(light), .bt709) - Self.oklabHue(light, .bt2020)
      #expect(whole.magnitude < (level <= 3 ? 1.5 : bound), "\(level): \(whole)")
    }
  }

  /// Components that are negative in the source, too, come into range, with highlights without a change of primaries, too.
  @Test func negativeLightComesIntoRange() {
    let highlights = HighlightDesaturation(amount: 0.1, start: 0.5)
    let same = GamutMapping(method: .perceptual, source: .bt2020, target: .bt2020, headroom: 2, highlights: highlights)
    let levels = [-1, -0.1, -1e-6, 0, 1e-6, 0.3, 1, 2]
    for mapping in Self.mappings + [same] {
      for r in levels {
        for g in levels {
          for b in levels {
            let result = mapping.map(SIMD3(r, g, b))
            #expect(result.min() >= 0 && result.max() <= mapping.headroom * (1 + 1e-12), "\(r) \(g) \(b)")
          }
        }
      }
    }
    #expect(same.map(SIMD3(-1, -0.1, 0)) == .zero && same.map(SIMD3(0.5, -0.1, 0)) == SIMD3(0.5, 0, 0))
  }

  /// Saturated colours stay saturated: 0.9 of the chroma that a clip of components keeps.
  @Test(arguments: [RGBSpace.bt2020, .displayP3])
  func chromaIsKept(_ space: RGBSpace) {
    let clip = GamutMapping(method: .clip, source: .bt2020, target: .bt709, headroom: 1)
    for color in Self.hues(24, space) {
      for level in [0.02, 0.1, 0.5, 0.9] {
        let (mapped, clipped) = (Self.mappings[0].map(color * level), clip.map(color * level))
        #expect(Self.chroma(mapped, .bt709) > 0.9 * Self.chroma(clipped, .bt709), "\(color) \(level)")
      }
    }
  }

  /// Colours of the display with components above the floor do not change; those on its edge hardly do.
  @Test(arguments: targets)
  func coloursOfTheDisplayStay(_ target: RGBSpace) {
    let mapping = GamutMapping(method: .perceptual, source: .bt2020, target: target, headroom: 1)
    let toSource = RGBSpace.conversion(from: target, to: .bt2020)
    for color in Self.hues(48, .bt2020) {
      // The same hues as components of the display.
      for level in [0.02, 0.3, 0.9, 1] {
        let edge = Self.deltaE(mapping.map(toSource * color * level), target, toSource * color * level)
        #expect(edge < 2.3, "\(color) \(level): \(edge)")
        let inside = SIMD3(repeating: 0.004) + color * 0.996
        let difference = mapping.map(toSource * inside * level) - inside * level
        #expect(max(difference.max(), -difference.min()) < 1e-9, "\(color) \(level)")
      }
    }
  }

  /// Along ramps of brightness, intensity never falls, and rises until the display's peak is reached.
  @Test(arguments: mappings)
  func rampsOfBrightnessRise(_ mapping: GamutMapping) {
    for hue in Self.hues(24, .bt2020) {
      for saturation in [1, 0.95, 0.8, 0.5] {
        let color = (SIMD3(repeating: 1 - saturation) + hue * saturation) * mapping.headroom
        var intensity = 0.0
        for step in 1...256 {
          let result = mapping.map(color * (Double(step) / 256))
          let i = Self.ictcp(result, mapping.target).x
          #expect(result.max() < mapping.headroom - 1e-9 ? i > intensity : i > intensity - 1e-12, "\(color) \(step)")
          intensity = i
        }
      }
    }
  }

  /// From grey to the edge of BT.2020 in linear light, neighbours stay apart: the smallest component falls all the way.
  @Test(arguments: mappings)
  func rampsOfSaturationStayApart(_ mapping: GamutMapping) {
    for hue in Self.hues(24, .bt2020) {
      for level in [0.01, 0.1, 0.5] {
        var previous = Double.infinity
        for step in 0...200 {
          let share = Double(step) / 200
          let content = (SIMD3(repeating: 1 - share) + hue * share) * level * mapping.headroom
          let result = mapping.map(content)
          let smallest = result.min() / result.max()
          #expect(smallest < previous && smallest > 0, "\(hue) \(level) \(step)")
          previous = smallest
        }
      }
    }
  }

  /// From the formulas of decisions 0021 and 0032 by numpy, for content of 1000 cd/m².
  @Test(arguments: [
    (SIMD3(10.0, 0, 0), SIMD3(1.0000000, 0.0036853, 0.0056198)),
    (SIMD3(10.0, 5, 0.5), SIMD3(1.0000000, 0.5951650, 0.0053815)),
    (SIMD3(4.0, 3, 2.5), SIMD3(0.7995240, 0.4990065, 0.4223254)),
  ])
  func vectors(_ light: SIMD3<Double>, _ expected: SIMD3<Double>) {
    let settings = DisplayMapping.Settings(
      metadata: .hdr10(minLuminance: 0, maxLuminance: 1000),
      display: Display(sdrWhite: 100, peak: 100, primaries: .bt709))
    let difference = DisplayMapping(settings).reference(light) - expected
    #expect(max(difference.max(), -difference.min()) < 1e-6)
  }

  /// Brighter red stays brighter: from 203 to 1000 cd/m² it rises by three times the intensity at 1.
  @Test func highlightsKeepTheirShape() {
    func range(_ desaturation: Double) -> Double {
      var settings = DisplayMapping.Settings(
        metadata: .hdr10(minLuminance: 0, maxLuminance: 1000), gamut: .perceptual,
        display: Display(sdrWhite: 100, peak: 100, primaries: .bt709))
      settings.highlightDesaturation = desaturation
      let mapping = DisplayMapping(settings)
      let steps = (0...64).map { mapping.reference(SIMD3(203 + Double($0) / 64 * 797, 0, 0) / 100) }
      let intensities = steps.map { Self.ictcp($0, .bt709).x }
      #expect(zip(intensities, intensities.dropFirst()).allSatisfy { desaturation > 0 ? $0 < $1 : $0 <= $1 })
      return (intensities[64] - intensities[0]) * 720
    }
    let (standard, desaturated) = (range(0), range(1))
    #expect(desaturated > 3 * standard, "\(standard) \(desaturated)")
    #expect(range(0.3) > standard)
  }

  /// HLG's super-white passes the map, with highlights to desaturate, too.
  @Test func superWhiteIsKept() {
    var settings = DisplayMapping.Settings(
      metadata: .hlg, display: Display(sdrWhite: 203, peak: 500, primaries: .bt2020))
    settings.superWhite = 1.5
    let mapping = DisplayMapping(settings)
    #expect(mapping.reference(SIMD3(repeating: 1.1)).x > 1.1 * mapping.reference(SIMD3(repeating: 1)).x)
  }

  /// Diffuse colours, content that fits the display, BT.2446 A and `clip` leave colours as the curve makes them.
  @Test func diffuseColoursKeepTheirChroma() {
    func reference(_ desaturation: Double, peak: Double, _ curve: ToneCurve, _ light: SIMD3<Double>) -> SIMD3<Double> {
      var settings = DisplayMapping.Settings(
        metadata: .hdr10(minLuminance: 0, maxLuminance: peak), curve: curve, gamut: .perceptual,
        display: Display(sdrWhite: 100, peak: 100, primaries: .bt709))
      settings.highlightDesaturation = desaturation
      return DisplayMapping(settings).reference(light)
    }
    for (peak, curve, light) in [
      (1000, ToneCurve.system, SIMD3(2.03, 0.1, 0.1)), (100, .system, SIMD3(1, 0.1, 0)),
      (1000, .bt2446a, SIMD3(9, 1, 1)), (1000, .clip, SIMD3(9, 1, 1)),
    ] as [(Double, ToneCurve, SIMD3<Double>)] {
      #expect(reference(0, peak: peak, curve, light) == reference(1, peak: peak, curve, light))
    }
  }
}

/// HDR content in other primaries is the same light, and gives the same result (decision 0005).
@Suite struct SourcePrimariesTests {
  @Test(arguments: [RGBSpace.displayP3, .bt709], [ToneCurve.system, .bt2446a, .hable])
  func sameLightSameResult(_ primaries: RGBSpace, _ curve: ToneCurve) {
    let toBT2020 = RGBSpace.conversion(from: primaries, to: .bt2020)
    for metadata in [EDRMetadata.hdr10(minLuminance: 0, maxLuminance: 4000), .hlg] {
      let stages = [primaries, .bt2020].map {
        DisplayMapping(
          DisplayMapping.Settings(
            metadata: metadata, primaries: $0, curve: curve, gamut: .perceptual,
            display: Display(sdrWhite: 100, peak: 100, primaries: .bt709)))
      }
      let unit = metadata.kind == .hlg ? 1.0 : 40
      for color in GamutMappingTests.colours(unit) {
        let difference = stages[0].reference(color) - stages[1].reference(toBT2020 * color)
        #expect(max(difference.max(), -difference.min()) < 1e-9, "\(color)")
      }
      // The kernels go the same way, with one more rounding to half float.
      let colors = GamutMappingTests.colours(unit)
      for tier in KernelTier.supported {
        let frame = LinearFrame(size: Size(width: colors.count, height: 1))
        let band = unsafe frame.band(rows: 0..<1, of: nil)
        let row = unsafe band.row(0)
        for (x, color) in colors.enumerated() {
          unsafe (row.red[x], row.green[x], row.blue[x]) = (Float16(color.x), Float16(color.y), Float16(color.z))
        }
        unsafe stages[0].process(band, tier: tier, worker: 0)
        for (x, color) in colors.enumerated() {
          let result = unsafe SIMD3(Double(row.red[x]), Double(row.green[x]), Double(row.blue[x]))
          let exact = stages[0].reference(
            SIMD3(Double(Float16(color.x)), Double(Float16(color.y)), Double(Float16(color.z))))
          let difference = result - exact
          #expect(max(difference.max(), -difference.min()) < 4e-3 * max(exact.max(), 0.01), "\(color) \(tier)")
        }
      }
    }
  }
}

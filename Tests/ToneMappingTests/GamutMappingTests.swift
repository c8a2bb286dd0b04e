import ColorScience
import Testing

import ToneMapping

/// `compress` and `clip`, and what holds for every smooth map.
@Suite struct GamutMappingTests {
  /// Source, target and headroom.
  static let mappings = [RGBSpace.bt709, .displayP3].flatMap { target in
    [1, 4.0].map { GamutMapping(method: .compress, source: .bt2020, target: target, headroom: $0) }
  }

  /// Colours that the tone mapper can leave: no component above the headroom.
  static func colours(_ headroom: Double) -> [SIMD3<Double>] {
    let levels = [0, 0.001, 0.02] + (1...12).map { Double($0) / 12 }
    return levels.flatMap { r in levels.flatMap { g in levels.map { SIMD3(r, g, $0) * headroom } } }
  }

  @Test(arguments: mappings + PerceptualGamutTests.mappings)
  func stayInRange(_ mapping: GamutMapping) {
    for rgb in Self.colours(mapping.headroom) {
      let result = mapping.map(rgb)
      #expect(result.min() >= 0 && result.max() <= mapping.headroom * (1 + 1e-12), "\(rgb)")
    }
  }

  /// Grey to the knee of brightness and beyond: the largest component of a grey is the same in both gamuts.
  @Test(arguments: mappings + PerceptualGamutTests.mappings)
  func greyStays(_ mapping: GamutMapping) {
    for step in 0...100 {
      let gray = SIMD3(repeating: Double(step) / 100 * mapping.headroom)
      let result = mapping.map(gray)
      #expect((result - gray).max().magnitude < 1e-12 && (gray - result).max().magnitude < 1e-12)
    }
  }

  /// Colours of the display's gamut with a saturation and brightness below the knees.
  @Test(arguments: mappings)
  func ordinaryColoursStay(_ mapping: GamutMapping) {
    let toSource = RGBSpace.conversion(from: mapping.target, to: mapping.source)
    var count = 0
    for unit in Self.colours(1) {
      let target = unit * (mapping.headroom * GamutMapping.brightnessStart)
      let luminance = (mapping.target.luminance * target).sum()
      guard luminance > 0, (luminance - target.min()) / luminance <= GamutMapping.saturationStart else { continue }
      let difference = mapping.map(toSource * target) - target
      #expect(max(difference.max(), -difference.min()) < 1e-12 * mapping.headroom, "\(target)")
      count += 1
    }
    #expect(count > 500)
  }

  /// Chromaticity moves towards white on a straight line, and not past it; luminance never rises.
  @Test(arguments: mappings)
  func dominantWavelengthStays(_ mapping: GamutMapping) {
    func xy(_ rgb: SIMD3<Double>, _ space: RGBSpace) -> SIMD2<Double> {
      let xyz = space.rgbToXYZ * rgb
      return SIMD2(xyz.x, xyz.y) / xyz.sum()
    }
    let white = SIMD2(mapping.source.white.x, mapping.source.white.y)
    for rgb in Self.colours(mapping.headroom) where rgb.max() > 0 {
      let (before, after) = (xy(rgb, mapping.source) - white, xy(mapping.map(rgb), mapping.target) - white)
      #expect((before.x * after.y - before.y * after.x).magnitude < 1e-12, "\(rgb)")
      let (was, now) = ((before * before).sum(), (after * after).sum())
      #expect(now <= was + 1e-12 && (before * after).sum() >= -1e-12, "\(rgb)")
      let luminance = (mapping.source.luminance * rgb).sum()
      #expect((mapping.target.luminance * mapping.map(rgb)).sum() <= luminance * (1 + 1e-12))
    }
  }

  /// Along lines through the source's cube, one step of the input moves the output by a bounded number of steps: 18.5
  /// was measured with steps a hundred times finer, from blue towards magenta, where the luminance is lowest.
  @Test(arguments: mappings)
  func continuous(_ mapping: GamutMapping) {
    let corners = (1..<8).map { SIMD3(Double($0 & 1), Double($0 >> 1 & 1), Double($0 >> 2)) * mapping.headroom }
    let starts = corners + Self.colours(mapping.headroom).enumerated().filter { $0.offset % 97 == 5 }.map(\.element)
    let steps = 400
    var steepest = 0.0
    for start in starts {
      for end in corners where start != end {
        let step = (end - start) / Double(steps)
        var previous = mapping.map(start)
        for index in 1...steps {
          let next = mapping.map(start + step * Double(index))
          let (jump, size) = (next - previous, (step * step).sum().squareRoot())
          steepest = max(steepest, (jump * jump).sum().squareRoot() / size)
          previous = next
        }
      }
    }
    #expect(steepest < 19)
  }

  /// More light of the same chromaticity never comes out darker; more saturation never comes out less saturated.
  @Test(arguments: mappings)
  func monotone(_ mapping: GamutMapping) {
    for rgb in Self.colours(mapping.headroom) where rgb.max() > 0 {
      let full = rgb * (mapping.headroom / rgb.max())
      let gray = (mapping.source.luminance * full).sum()
      var (brightness, saturation) = (-1.0, -1.0)
      for step in 0...40 {
        let share = Double(step) / 40
        let ray = mapping.map(full * share)
        #expect(ray.max() >= brightness - 1e-12)
        brightness = ray.max()
        let radial = mapping.map((SIMD3(repeating: gray) + (full - SIMD3(repeating: gray)) * share))
        let luminance = (mapping.target.luminance * radial).sum()
        let reached = (luminance - radial.min()) / luminance
        #expect(reached >= saturation - 1e-9, "\(full) \(share)")
        saturation = reached
      }
    }
  }

  @Test(arguments: [1, 4.0])
  func clipClips(_ headroom: Double) {
    let mapping = GamutMapping(method: .clip, source: .bt2020, target: .bt709, headroom: headroom)
    let matrix = RGBSpace.conversion(from: .bt2020, to: .bt709)
    for rgb in Self.colours(headroom) {
      let exact = matrix * rgb
      let result = mapping.map(rgb)
      for k in 0..<3 { #expect(result[k] == min(max(exact[k], 0), headroom)) }
    }
  }

  @Test func sameGamutIsUntouched() {
    for method in GamutMapping.Method.allCases {
      let mapping = GamutMapping(method: method, source: .bt2020, target: .bt2020, headroom: 1)
      #expect(mapping.map(SIMD3(0, 1, 0.3)) == SIMD3(0, 1, 0.3))
    }
  }

  @Test func rollOff() {
    let roll = { GamutMapping.rollOff($0, start: 0.8, ceiling: 0.99, limit: 1.6) }
    #expect(roll(0.8) == 0.8 && (roll(1.6) - 0.99).magnitude < 1e-12)
    #expect(((roll(0.8 + 1e-6) - 0.8) / 1e-6 - 1).magnitude < 1e-4)
    #expect(GamutMapping.rollOff(0.95, start: 0.8, ceiling: 0.99, limit: 0.99) == 0.95)
  }
}

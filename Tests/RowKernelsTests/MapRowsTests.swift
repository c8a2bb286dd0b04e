import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// Every combination of tone step and gamut step that a stage compiles to, against the stage's own reference.
@Suite struct MapRowsTests {
  struct Case: Sendable, CustomStringConvertible {
    var description: String
    var stage: (any Stage)?
    /// Light of this many units comes in at most.
    var range: Double
    /// Largest error as a share of the brightest component. Half float alone makes 2^-11; scene light and mixes
    /// have the arguments of their gains rounded to it too; method A of BT.2446, which goes through the power 1/2.4 twice, adds up to 0.0021
    /// near black.
    var bound: Double
    /// Primaries of the result; nil if the stage makes no display light.
    var primaries: RGBSpace?

    init(_ description: String, _ stage: (any Stage)?, range: Double = 1) {
      self.description = description
      self.stage = stage
      self.range = range
      bound =
        description.contains("bt2446a")
        ? 3.1e-3
        : description.hasPrefix("hlg") || description.contains("mixed") || description == "scene light"
          ? 6.5e-4 : 5.5e-4
    }

    static func mapping(
      _ name: String, _ metadata: EDRMetadata?, _ curve: ToneCurve, _ gamut: GamutMapping.Method,
      _ primaries: ColorPrimaries
    ) -> Case {
      let display = Display(sdrWhite: 203, peak: 600, primaries: primaries.space ?? .bt709)
      let stage = DisplayMapping(
        DisplayMapping.Settings(metadata: metadata, curve: curve, gamut: gamut, display: display))
      let range = metadata.map { $0.kind == .hlg ? 1 : 40.0 } ?? 2.5
      var test = Case("\(name) \(curve.name) \(gamut) \(primaries)", stage, range: range)
      test.primaries = primaries.space
      return test
    }
  }

  static let cases: [Case] = {
    let contents: [(String, EDRMetadata?)] = [
      ("sdr", nil), ("hdr10", .hdr10(minLuminance: 0, maxLuminance: 4000)), ("hlg", .hlg),
    ]
    let mapped = contents.flatMap { name, metadata in
      (metadata == nil ? [ToneCurve.clip] : [.system, .bt2446a]).flatMap { curve in
        [ColorPrimaries.bt2020, .bt709].flatMap { primaries in
          GamutMapping.Method.allCases.map { Case.mapping(name, metadata, curve, $0, primaries) }
        }
      }
    }
    // Gains from a mix of the components, in other primaries than the content's.
    let curve = AdaptiveToneMap.Curve(points: [
      .init(x: 500, y: 4000), .init(x: 2000, y: 12_000), .init(x: 8000, y: 30_000),
    ])
    let adaptation = AdaptiveToneMap.Adaptation(
      baselineHeadroom: 40_000,
      method: .alternates(
        [.init(headroom: 0, mix: .custom([10, 30, 5, 40, 15, 0]), curve: curve)], space: .displayP3))
    let mixed = contents.dropFirst().flatMap { name, metadata in
      [ColorPrimaries.bt2020, .bt709].map { primaries in
        var settings = DisplayMapping.Settings(
          metadata: metadata, display: Display(sdrWhite: 203, peak: 600, primaries: primaries.space ?? .bt709))
        settings.shot = ShotParameters(curve: .renditions(adaptation))
        var test = Case("\(name) mixed \(primaries)", DisplayMapping(settings), range: name == "hlg" ? 1 : 40)
        // Highlights change with the square of their brightness.
        test.bound = 8e-4
        return test
      }
    }
    let changed = contents.map { name, metadata in
      var settings = DisplayMapping.Settings(
        metadata: metadata, primaries: name == "sdr" ? .bt709 : .bt2020,
        display: Display(sdrWhite: 203, peak: 600, primaries: .bt2020))
      (settings.exposure, settings.isExpanded) = (0.7, metadata == nil)
      var test = Case("\(name) exposed, perceptual", DisplayMapping(settings), range: name == "hdr10" ? 40 : 1)
      // The expansion is steep: six times what half float makes of the light in BT.2020.
      if metadata == nil { test.bound = 3e-3 }
      return test
    }
    let lit = contents.flatMap { name, metadata in
      [ToneCurve.system, .bt2390].map { curve in
        let display = Display(sdrWhite: 203, peak: 203, black: 0.1, surround: 64, primaries: .bt709)
        let settings = DisplayMapping.Settings(metadata: metadata, curve: curve, display: display)
        var test = Case(
          "\(name) \(curve.name) lit, perceptual", DisplayMapping(settings), range: name == "hdr10" ? 40 : 1)
        test.primaries = .bt709
        // Where shadows are lifted the gain is steep.
        test.bound = 2.5e-3
        return test
      }
    }
    let scene = InverseOOTF(display: Display(sdrWhite: 203, peak: 1000, primaries: .bt2020))
    return mapped + mixed + changed + lit + [Case("scene light", scene, range: 4.9)]
  }()

  @Test(arguments: KernelTier.supported, cases)
  func map(_ tier: KernelTier, _ test: Case) throws {
    let stage = try #require(test.stage)
    var (largest, visible) = (0.0, 0.0)
    for width in widths {
      let rows = (0..<3).map { _ in OutputRow<Float16>.scratch(width) }
      for (k, row) in rows.enumerated() {
        for x in 0..<width {
          let unit = scrambled(x, k + 9) % 13 == 0 ? 0 : raise(Double(scrambledUnit(x, k)), 3)
          row[x] = Float16(unit * test.range)
        }
      }
      let light = (0..<width).map { x in SIMD3(Double(rows[0][x]), Double(rows[1][x]), Double(rows[2][x])) }
      let planes = unsafe LinearBand.Row(red: rows[0].base, green: rows[1].base, blue: rows[2].base)
      let band = unsafe LinearBand(planes: planes, width: width, height: 1, stride: 0, firstRow: 0)
      unsafe stage.process(band, tier: tier, worker: 0)
      for (x, rgb) in light.enumerated() {
        let expected = stage.reference(rgb)
        let scale = max(expected.max(), 1e-3)
        let result = SIMD3(Double(rows[0][x]), Double(rows[1][x]), Double(rows[2][x]))
        for k in 0..<3 { largest = max(largest, (result[k] - expected[k]).magnitude / scale) }
        if let primaries = test.primaries { visible = max(visible, Self.deltaE(result, expected, primaries)) }
      }
      #expect(rows.allSatisfy { $0.isIntact }, "width \(width)")
    }
    #expect(largest < test.bound)
    #expect(visible < 0.3)
  }

  /// ΔE ITP of light on the display of these tests.
  private static func deltaE(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ primaries: RGBSpace) -> Double {
    let toBT2020 = RGBSpace.conversion(from: primaries, to: .bt2020)
    func ictcp(_ light: SIMD3<Double>) -> SIMD3<Double> {
      ICtCp.fromNits(pointwiseMax(toBT2020 * light * 203, SIMD3()))
    }
    return ICtCp.deltaEITP(ictcp(a), ictcp(b))
  }
}

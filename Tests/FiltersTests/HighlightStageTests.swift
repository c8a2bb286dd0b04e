import ColorScience
import Frames
import Rendering
import Testing
import ToneMapping

import Filters

/// The stage in every tier against one pixel at a time in `Double`.
@Suite struct HighlightStageTests {
  static let highlights = [
    "highlight", "highlight=gamut=p3", "highlight=by=range", "highlight=by=range:weights=classic:gamut=p3",
    "highlight=by=luminance", "highlight=by=luminance:nits=400:tint=green", "highlight=by=chromaticity:tint=orange",
    "highlight=by=range:tint=vermilion:edge=0.1:tolerance=0.05", "highlight=tolerance=0",
  ]

  private struct NoHighlight: Error {}

  static func stage(_ text: String, _ context: FilterContext) throws -> HighlightStage {
    guard case .highlight(let highlight) = try Filter(text) else { throw NoHighlight() }
    return HighlightStage(highlight, context)
  }

  @Test(arguments: highlights, [ColorDescription.bt2100PQ, .bt2100HLG, .bt709])
  func everyTierAgainstTheReference(_ text: String, _ color: ColorDescription) throws {
    // HLG's scene light ends near 1.
    let light = Light.scrambled(Size(width: 203, height: 41), scale: color.transfer == .hlg ? 0.06 : 1)
    let size = light.frame.size
    let stage = try Self.stage(text, .of(color, size, workers: 3))
    for tier in KernelTier.supported {
      let result = try light.after([stage], tier: tier, workers: 3)
      let again = try light.after([try Self.stage(text, .of(color, size))], tier: tier)
      var (kept, wrong) = (0, 0)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (source, found) = (light.color(x, y), result.color(x, y))
          #expect(result.bits(x, y) == again.bits(x, y))
          if found == source { kept += 1 }
          let expected = stage.reference(source)
          // Half float has eleven bits; where rounding decides between two fates, either is right.
          let isNear = ((found - expected) / max(expected.max().magnitude, 1e-3)).isSmall(0.002)
          if !isNear { wrong += 1 }
        }
      }
      let pixels = size.width * size.height
      #expect(wrong <= pixels / 500, "\(text) \(tier): \(wrong)")
      #expect(kept > pixels / 50 && kept < pixels - pixels / 50, "\(text) \(tier): \(kept) kept")
    }
  }

  /// HDR is tested for hue and saturation: bright grey is not a wide colour. In SDR nothing is brighter than white.
  @Test func theDefaultForHDRAndForSDR() throws {
    let light = Light(Size(width: 3, height: 1)) { x, _ in SIMD3(repeating: [0.5, 2, 90][x]) }
    let size = light.frame.size
    let hdr = try light.after([try Self.stage("highlight", .of(.bt2100PQ, size))], tier: .detected)
    #expect((0..<3).allSatisfy { hdr.color($0, 0) == light.color($0, 0) })
    let reddish = Light(size) { x, _ in SIMD3(1, 0.7, 0.6) * [0.5, 2, 90][x] }
    let byColor = try reddish.after([try Self.stage("highlight", .of(.bt2100PQ, size))], tier: .detected)
    #expect((0..<3).allSatisfy { byColor.bits($0, 0)[0] == byColor.bits($0, 0)[2] })
    let byRange = try reddish.after([try Self.stage("highlight=by=range", .of(.bt2100PQ, size))], tier: .detected)
    #expect(byRange.color(1, 0) == reddish.color(1, 0) && byRange.color(2, 0) == reddish.color(2, 0))
    let sdr = try reddish.after([try Self.stage("highlight", .of(.bt709, size))], tier: .detected)
    #expect(sdr.bits(0, 0)[0] == sdr.bits(0, 0)[2] && sdr.color(1, 0) == reddish.color(1, 0))
  }

  /// The grey has the luminance of the colour, linear: 0.2627 of a BT.2020 red. A mean of coded values would be another.
  @Test func greyIsLinearLuminance() throws {
    let light = Light(Size(width: 2, height: 1)) { x, _ in x == 0 ? SIMD3(0.8, 0.5, 0.4) : SIMD3(0.2, 0.25, 0.9) }
    let size = light.frame.size
    let result = try light.after([try Self.stage("highlight", .of(.bt2100PQ, size))], tier: .detected)
    for x in 0..<2 {
      let rgb = light.color(x, 0)
      let expected = 0.2627 * rgb.x + 0.6780 * rgb.y + 0.0593 * rgb.z
      #expect((result.color(x, 0).x - expected).magnitude < 0.001 * expected)
    }
    let classic = try light.after([try Self.stage("highlight=weights=classic", .of(.bt709, size))], tier: .detected)
    let expected = 0.30 * light.color(0, 0).x + 0.59 * light.color(0, 0).y + 0.11 * light.color(0, 0).z
    #expect((classic.color(0, 0).x - expected).magnitude < 0.001)
  }

  /// NaN becomes a grey NaN; nothing traps.
  @Test(arguments: KernelTier.supported)
  func nonsense(_ tier: KernelTier) throws {
    let values = [Double.nan, .infinity, -.infinity, 65504, -65504]
    let light = Light(Size(width: 25, height: 1)) { x, _ in SIMD3(values[x / 5], values[x % 5], 1) }
    for text in Self.highlights {
      _ = try light.after([try Self.stage(text, .of(.bt2100PQ, light.frame.size))], tier: tier)
    }
  }
}

extension SIMD3<Double> {
  func isSmall(_ limit: Double) -> Bool {
    indices.allSatisfy { self[$0].magnitude <= limit || !self[$0].isFinite }
  }
}

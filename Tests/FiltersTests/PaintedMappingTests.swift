import ColorScience
import Frames
import Rendering
import Testing
import ToneMapping

import Filters

/// Filters that paint on the mapped picture by the content's light.
@Suite struct PaintedMappingTests {
  static let chains = [
    ["false-color=legend=off"], ["clip-warning=legend=off"], ["highlight", "clip-warning=legend=off"],
    ["clip-warning=legend=off", "highlight"], ["false-color=legend=off", "highlight=by=luminance:nits=300"],
  ]

  private func stages(_ texts: [String], _ context: FilterContext) throws -> [any Stage] {
    let target = FrameRenderer.Endpoint(
      format: PixelFormat(size: context.size, layout: PixelLayout(.ycbcr420, bitDepth: 8), color: .bt709),
      transfer: .bt1886(peak: 1))
    let session = try FilterSession(
      try texts.map { try Filter($0) }, context, target: target, coding: [], pool: WorkerPool(count: 1))
    return session.stages(around: context.mapping)
  }

  @Test(arguments: chains, [ColorDescription.bt2100PQ, .bt2100HLG])
  func everyTierAgainstTheReference(_ texts: [String], _ color: ColorDescription) throws {
    let light = Light.scrambled(Size(width: 117, height: 37), scale: color.transfer == .hlg ? 0.03 : 1)
    let size = light.frame.size
    for tier in KernelTier.supported {
      let stages = try stages(texts, .of(color, size, isMapped: true, workers: 3))
      let result = try light.after(stages, tier: tier, workers: 3)
      let one = try light.after(try self.stages(texts, .of(color, size, isMapped: true)), tier: tier)
      var (wrong, colors) = (0, Set<[UInt16]>())
      for y in 0..<size.height {
        for x in 0..<size.width {
          #expect(result.bits(x, y) == one.bits(x, y))
          colors.insert(result.bits(x, y))
          let expected = stages.reduce(light.color(x, y)) { $1.reference($0) }
          if !(result.color(x, y) - expected).isSmall(0.004) { wrong += 1 }
        }
      }
      #expect(wrong <= size.width * size.height / 100, "\(texts) \(tier): \(wrong)")
      #expect(colors.count > 3)
    }
  }

  /// Greys of known luminance get the colour of their zone, whatever the tone curve makes of them.
  @Test(arguments: [ColorDescription.bt2100PQ, .bt2100HLG])
  func zones(_ color: ColorDescription) throws {
    let zones = LightZone.all(sdrWhite: 100)
    #expect(zones.map(\.start) == [0, 0.05, 1, 100, 203, 400, 1000, 4000])
    let nits = [0.02, 0.5, 30, 150, 300, 700] + (color.transfer == .pq ? [2000, 6000] : [])
    let unit = { (nits: Double) in
      color.transfer == .pq
        ? nits / 100 : HLG.inverseOOTF(SIMD3(repeating: nits), peak: 1000, gamma: 1.2).x
    }
    let light = Light(Size(width: nits.count, height: 1)) { x, _ in SIMD3(repeating: unit(nits[x])) }
    let stages = try stages(["false-color=legend=off"], .of(color, light.frame.size, isMapped: true))
    let result = try light.after(stages, tier: .detected)
    for (x, zone) in zip(nits.indices, zones) {
      guard let expected = zone.color?.linear else {
        #expect(Set(result.bits(x, 0)).count == 1)
        continue
      }
      #expect((result.color(x, 0) - expected).isSmall(0.001), "\(nits[x]) cd/m²")
    }
  }

  /// Whoever sets SDR white at or above 203 has no zone between them.
  @Test func zonesThatAreEmptyAreLeftOut() {
    #expect(LightZone.all(sdrWhite: 203).map(\.start) == [0, 0.05, 1, 203, 400, 1000, 4000])
    #expect(LightZone.all(sdrWhite: 500).map(\.start) == [0, 0.05, 1, 500, 1000, 4000])
  }

  /// The system's curve to headroom 1 of content of 1000 cd/m² bends below half of the content's contrast between 203 and
  /// 1000 cd/m² and ends there; clip ends at the display's peak.
  @Test func toneLimits() throws {
    let content = try ContentInterpretation(color: .bt2100PQ)
    func limits(_ curve: ToneCurve) -> ToneLimits {
      ToneLimits(
        DisplayMapping(
          DisplayMapping.Settings(metadata: content.metadata, curve: curve, display: FilterContext.sdrDisplay)
        ).mapper, peak: PQ.peak)
    }
    #expect((203...500).contains(limits(.system).compressed))
    #expect((900...1010).contains(limits(.system).clipped))
    #expect((98...101).contains(limits(.clip).clipped))
    #expect(ToneLimits(nil, peak: PQ.peak) == ToneLimits(nil, peak: 100))
  }

  /// What the clip warning says of colours that are known.
  @Test func clipWarning() throws {
    let wideGreen = SIMD3(0, 1.0, 0)
    let colors: [SIMD3<Double>] = [
      SIMD3(repeating: 0.5), SIMD3(repeating: 7), SIMD3(repeating: 40), wideGreen, wideGreen * 20,
    ]
    let light = Light(Size(width: 5, height: 1)) { x, _ in colors[x] }
    let stages = try stages(["clip-warning=legend=off"], .of(.bt2100PQ, light.frame.size, isMapped: true))
    let result = try light.after(stages, tier: .detected)
    #expect(Set(result.bits(0, 0)).count == 1)
    for (x, color) in [(1, SRGBColor.yellow), (2, .vermilion), (3, .skyBlue), (4, .purple)] {
      #expect((result.color(x, 0) - color.linear).isSmall(0.001), "\(x)")
    }
  }
}

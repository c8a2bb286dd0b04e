import ColorScience
import Foundation
import Frames
import Rendering
import Testing
import ToneMapping

import Measurement

/// Colours counted by the stage, against one pixel at a time.
@Suite struct GamutAnalyzerTests {
  static let size = Size(width: 173, height: 120)

  private func statistics(
    _ frame: CodedFrame, tier: KernelTier = .detected, workers: Int = 1, sdrWhite: Double = 100
  ) throws -> (ColorStatistics, LinearFrame) {
    let content = try frame.color.content
    let analyzer = GamutAnalyzer(width: frame.size.width, content: content, sdrWhite: sdrWhite, workers: workers)
    let light = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: frame.format, transfer: content.transfer),
      outputs: [.init(stages: [analyzer], end: .linear)], tier: tier,
      pool: WorkerPool(count: workers)
    ).linearFrame(frame)
    let result = analyzer.takeStatistics()
    #expect(analyzer.takeStatistics() == ColorStatistics())
    return (result, light)
  }

  @Test(arguments: [ColorDescription.bt2100PQ, .bt2100HLG, .bt709], KernelTier.supported)
  func againstTheReference(_ color: ColorDescription, _ tier: KernelTier) throws {
    let frame = CodedFrame.scrambled(Self.size, PixelLayout(.ycbcr420, bitDepth: 10), color)
    let (found, light) = try statistics(frame, tier: tier, workers: 3)
    let content = try color.content
    let form = ContentLightForm(content, sdrWhite: 100)
    let floor = form.light(ofGray: 0.01)
    let weights = color.transfer == .hlg ? HLG.luminance : content.primaries.luminance
    var expected = [ColorStatistics.Counts](repeating: .init(), count: 7)
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let rgb = SIMD3(
          Double(light.row(y, .red)[x]), Double(light.row(y, .green)[x]), Double(light.row(y, .blue)[x]))
        let hue = HueSector.of(rgb, in: content.primaries).flatMap(HueSector.allCases.firstIndex) ?? 6
        let luminance = (weights * rgb).sum()
        func outside(_ gamut: RGBSpace) -> Int {
          GamutBoundary(of: gamut, from: content.primaries, floor: floor).isOutside(rgb) ? 1 : 0
        }
        expected[hue].pixels += 1
        expected[hue].outsideBT709 += outside(.bt709)
        expected[hue].outsideP3 += outside(.displayP3)
        expected[hue].aboveSDRWhite += luminance > form.light(above: 100) ? 1 : 0
        expected[hue].above203 += luminance > form.light(above: 203) ? 1 : 0
        expected[hue].above1000 += luminance > form.light(above: 1000) ? 1 : 0
        expected[hue].above4000 += luminance > form.light(above: 4000) ? 1 : 0
      }
    }
    let all = HueSector.allCases.map { found[$0] } + [found.neutral]
    for (counts, wanted) in zip(all, expected) {
      // Float and Double part where a pixel lies on an edge.
      func isNear(_ key: KeyPath<ColorStatistics.Counts, Int>) -> Bool {
        abs(counts[keyPath: key] - wanted[keyPath: key]) <= 20
      }
      #expect(isNear(\.pixels) && isNear(\.outsideBT709) && isNear(\.outsideP3) && isNear(\.aboveSDRWhite))
      #expect(isNear(\.above203) && isNear(\.above1000) && isNear(\.above4000))
    }
    #expect(found.all.pixels == Self.size.width * Self.size.height)
    #expect(try statistics(frame, tier: tier, workers: 1).0 == found)
  }

  /// SDR white above the fixed levels: each level still means itself.
  @Test func levelsInAnyOrder() throws {
    let codes = [64, 400, 509, 573, 640, 723, 800, 900, 940]
    let frame = CodedFrame.gray(Size(width: 9, height: 2), .bt2100PQ) { x, _ in codes[x] }
    let nits = codes.map { PQ.eotf(Double($0 - 64) / 876) }
    for white in [100.0, 203, 500, 2000] {
      let all = try statistics(frame, sdrWhite: white).0.all
      func above(_ level: Double) -> Int { 2 * nits.count { $0 > level * 1.001 } }
      #expect(all.aboveSDRWhite == above(white))
      #expect(all.above203 == above(203) && all.above1000 == above(1000) && all.above4000 == above(4000))
    }
  }

  /// Primaries and secondaries of all three gamuts are in the sector of their name; white, grey and black in none.
  @Test(arguments: [RGBSpace.bt709, .displayP3, .bt2020])
  func hues(_ space: RGBSpace) {
    let colors: [(SIMD3<Double>, HueSector)] = [
      (SIMD3(1, 0, 0), .red), (SIMD3(1, 1, 0), .yellow), (SIMD3(0, 1, 0), .green), (SIMD3(0, 1, 1), .cyan),
      (SIMD3(0, 0, 1), .blue), (SIMD3(1, 0, 1), .magenta),
    ]
    for (color, hue) in colors {
      #expect(HueSector.of(color * 3, in: space) == hue)
      #expect(HueSector.of(color * 0.2 + 0.8, in: space) == hue)
    }
    for gray in [0, 0.01, 1, 40] { #expect(HueSector.of(SIMD3(repeating: gray), in: space) == nil) }
  }
}

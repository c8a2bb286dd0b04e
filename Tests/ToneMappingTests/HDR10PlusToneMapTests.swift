import ColorScience
import Foundation
import Frames
import Rendering
import Testing
import ToneMapping

/// The curve of HDR10+, made for displays of other peaks.
struct HDR10PlusToneMapTests {
  struct Output: Decodable {
    let peak: Double
    let target: UInt32
    let knee: [UInt16]
    let anchors: [UInt16]
    let display: Double
    let nits: Double
    let output: Double
  }

  private func mapper(_ plus: HDR10PlusMetadata, display: Double) throws -> ToneMapper {
    let descriptor = EDRMetadata.hdr10(minLuminance: 0, maxLuminance: 4000)
    var tracker = ShotTracker(use: .everything, descriptor: descriptor, masteringDisplay: nil)
    let shot = tracker.parameters(for: HDRMetadata(hdr10Plus: plus))
    #expect(tracker.takeIgnored().isEmpty)
    let settings = DisplayMapping.Settings(
      metadata: descriptor, display: Display(sdrWhite: min(display, 100), peak: display, primaries: .bt2020),
      shot: shot)
    return try #require(DisplayMapping(settings).mapper)
  }

  @Test func `Outputs equal those of SciPy's Bernstein polynomials`() throws {
    let rows = try vectors("st2094-40", "outputs", Output.self)
    #expect(rows.count == 160)
    for row in rows {
      let units = UInt32((row.peak * 10).rounded())
      let plus = HDR10PlusMetadata(
        targetedMaxLuminance: row.target, maxSCL: SIMD3(units, 1, units / 2), averageMaxRGB: 100,
        curve: .init(kneeX: row.knee[0], kneeY: row.knee[1], anchors: row.anchors))
      let found = try mapper(plus, display: row.display).map(SIMD3(repeating: row.nits)).x
      #expect(abs(found - row.output) < 1e-9 * max(1, row.output), "\(row)")
    }
  }

  @Test func `The curve ends at the 99.98th percentile where that is below the maximum`() throws {
    let curve = HDR10PlusMetadata.Curve(kneeX: 32, kneeY: 80, anchors: [169, 329, 501, 585, 628, 671, 757, 859, 936])
    func plus(_ distribution: [HDR10PlusMetadata.Percentile]) -> HDR10PlusMetadata {
      HDR10PlusMetadata(
        targetedMaxLuminance: 400, maxSCL: SIMD3(16_190, 15_310, 21_890), averageMaxRGB: 3380,
        distribution: distribution, curve: curve)
    }
    let whole = try mapper(plus([]), display: 100)
    let most = try mapper(plus([.init(percentage: 50, value: 2660), .init(percentage: 99, value: 9900)]), display: 100)
    #expect(most.map(SIMD3(repeating: 990)).x == 100 && most.map(SIMD3(repeating: 2189)).x == 100)
    #expect(whole.map(SIMD3(repeating: 990)).x < 99 && abs(whole.map(SIMD3(repeating: 2189)).x - 100) < 1e-9)
  }

  /// Rising knees and anchors of every kind, for displays below and above the one that they are for.
  @Test func `Curves rise to the peak of the display`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<150 {
      let anchors = (0..<Int.random(in: 1...15, using: &random)).map { _ in UInt16.random(in: 0...1023, using: &random)
      }
      let plus = HDR10PlusMetadata(
        targetedMaxLuminance: .random(in: 80...4000, using: &random), maxSCL: SIMD3(20_000, 0, 0), averageMaxRGB: 100,
        curve: .init(
          kneeX: .random(in: 1...4095, using: &random), kneeY: .random(in: 0...4095, using: &random),
          anchors: anchors.sorted()))
      for display in [80.0, 100, 500, 1999] {
        let mapper = try mapper(plus, display: display)
        var last = 0.0
        for step in 0...300 {
          let light = mapper.map(SIMD3(repeating: Double(step) * 2000 / 300)).x
          #expect(light >= last - 1e-9 && light <= display, "\(plus.curve!) \(display) \(step)")
          last = light
        }
        #expect(abs(last - display) < 1e-6)
      }
    }
  }

  private static let scenes = [
    HDR10PlusMetadata(
      targetedMaxLuminance: 400, maxSCL: SIMD3(repeating: 14_252), averageMaxRGB: 100,
      curve: .init(kneeX: 17, kneeY: 64, anchors: [265, 666, 741, 800, 848, 887, 920, 945, 957])),
    HDR10PlusMetadata(
      targetedMaxLuminance: 500, maxSCL: SIMD3(repeating: 40_000), averageMaxRGB: 100,
      curve: .init(kneeX: 512, kneeY: 3600, anchors: [300, 600, 900])),
    HDR10PlusMetadata(
      targetedMaxLuminance: 1000, maxSCL: SIMD3(repeating: 5500), averageMaxRGB: 100,
      curve: .init(kneeX: 1000, kneeY: 1500, anchors: [300, 600, 900])),
  ]

  /// Displays from 100 to 4000 cd/m² in steps of 2.5 %, which change light by 0.1 stops at most.
  @Test(arguments: scenes)
  func `Light changes continuously with the display's peak`(_ plus: HDR10PlusMetadata) throws {
    let levels = try (0...150).map { step in
      let mapper = try mapper(plus, display: 100 * pow(40, Double(step) / 150))
      return [0.5, 5, 26, 100, 500].map { log2(mapper.map(SIMD3(repeating: $0)).x) }
    }
    let jumps = zip(levels, levels.dropFirst()).flatMap { zip($0, $1).map { abs($1 - $0) } }
    #expect(jumps.allSatisfy { $0 < 0.15 })
  }

  /// Below the knee, where the targeted display shows 5 cd/m² as 5.3, and a display of the shot's peak as 5.
  @Test func `A display brighter than the targeted one keeps shadows`() throws {
    for display in [400.0, 600, 800, 1000, 1200, 1424] {
      let found = try mapper(Self.scenes[0], display: display).map(SIMD3(repeating: 5)).x
      #expect(5...5.3 ~= found, "\(display)")
    }
  }
}

import ColorScience
import Foundation
import Frames
import Rendering
import Testing
import ToneMapping

/// ST 2094-50: the binary form, and what its renditions make of light.
struct AdaptiveToneMapTests {
  struct Output: Decodable {
    let payload: [UInt8]
    let headroom: Double
    let rgb: SIMD3<Double>
    let output: SIMD3<Double>
  }

  /// Control points for which SciPy, Skia and the standard agree, and their slopes. Source: google/skia, tests of
  /// `HdrMetadata_Agtm`.
  static let pchip: [[Double]] = [
    [
      0.10720647, 0.76246667, 1.39535723, 2.17572099, 2.47834070, 3.14288223, 3.35428070, 4.24864607, 4.59087493,
      4.80373641,
    ],
    [0.37384606, 0.93143060, 0, 1.23009354, 1.25542898, 2.22460677, 2.69226748, 3.45838813, 4.44597502, 5.19196203],
    [2.03242568, 0, 0, 0.14042951, 0.14250506, 1.82245618, 1.35855757, 1.43703564, 3.18918733, 3.74186390],
  ]

  @Test func `Slopes that follow from the points`() {
    let slopes = GainCurve.slopes(Self.pchip[0], Self.pchip[1])
    for (found, expected) in zip(slopes, Self.pchip[2]) { #expect(abs(found - expected) < 2e-6) }
    #expect(GainCurve.slopes([1], [3]) == [0] && GainCurve.slopes([1, 3], [0, 4]) == [2, 2])
    #expect(GainCurve.slopes([1, 1, 2, 2], [0, 0, 1, 1]).allSatisfy { $0.isFinite })
  }

  /// The mapping of PQ content by a payload, for a display whose SDR white is 100 cd/m².
  static func mapping(_ map: AdaptiveToneMap, headroom: Double) -> DisplayMapping {
    let descriptor = EDRMetadata.hdr10(minLuminance: 0, maxLuminance: 4000)
    var tracker = ShotTracker(use: .everything, descriptor: descriptor, masteringDisplay: nil)
    let shot = tracker.parameters(for: HDRMetadata(adaptiveToneMap: map))
    return DisplayMapping(
      DisplayMapping.Settings(
        metadata: descriptor, display: Display(sdrWhite: 100, peak: 100 * headroom, primaries: .bt2020), shot: shot))
  }

  @Test func `Renditions equal SciPy's`() throws {
    let rows = try vectors("st2094-50", "outputs", Output.self)
    #expect(rows.count == 90)
    for row in rows {
      let mapper = try #require(Self.mapping(AdaptiveToneMap(payload: row.payload), headroom: row.headroom).mapper)
      let found = mapper.map(row.rgb)
      for index in 0..<3 {
        #expect(abs(found[index] - row.output[index]) < 1e-9 * max(1, row.output[index]), "\(row)")
      }
    }
  }

  @Test(arguments: [(UInt16(23_000), UInt16?.none), (10_000, 500), (0, nil), (60_000, 2000), (43_000, nil)])
  func `The operator by metadata is the standard's`(baseline: UInt16, white: UInt16?) throws {
    let adaptation = AdaptiveToneMap.Adaptation(baselineHeadroom: baseline, method: .referenceWhite)
    let map = AdaptiveToneMap(codedReferenceWhite: white, adaptation: adaptation)
    let reference = white.map { Double($0) / 5 } ?? 203
    for headroom in [1, 1.7, 4, 12.0] {
      let found = try #require(Self.mapping(map, headroom: headroom).mapper)
      let standard = ToneCurve.st2094_50.mapper(
        ToneConditions(
          contentPeak: reference * exp2(Double(baseline) / 10_000), contentBlack: 0.005,
          display: Display(sdrWhite: 100, peak: 100 * headroom, primaries: .bt2020), referenceWhite: reference))
      for nits in [0.1, 26, 100, 203, 500, 1000, 4000, 10_000] {
        #expect(found.map(SIMD3(nits, nits / 2, 0)) == standard.map(SIMD3(nits, nits / 2, 0)))
      }
    }
  }

  @Test func `Without renditions light is cut at the peak`() throws {
    let map = AdaptiveToneMap(
      adaptation: .init(baselineHeadroom: 20_000, method: .alternates([], space: .displayP3)))
    let mapper = try #require(Self.mapping(map, headroom: 2).mapper)
    #expect(abs(mapper.map(SIMD3(203, 101.5, 0)).x - 100) < 1e-12 && mapper.map(SIMD3(4000, 400, 0)).x == 200)
  }

  @Test func `Every prefix of a payload is refused, and more than it is read`() throws {
    let payload = try #require(try vectors("st2094-50", "outputs", Output.self).first).payload
    let whole = try AdaptiveToneMap(payload: payload)
    #expect(try AdaptiveToneMap(payload: payload + [0x80, 1, 2]) == whole)
    for length in 0..<payload.count {
      #expect(throws: AdaptiveToneMapError.tooShort) { try AdaptiveToneMap(payload: Array(payload.prefix(length))) }
    }
  }

  /// Payloads that break a constraint: a later version, equal and falling headrooms, falling x, weights of 0, an end at 0.
  static let broken: [[UInt8]] = [
    [0b0000_0100, 0], [0, 64, 0, 100, 0b0001_1001, 0, 100, 0, 0b0000_0100, 3, 232, 0, 0],
    [0, 64, 0, 100, 0b0010_1001, 0, 50, 0, 0b0000_0100, 3, 232, 0, 0, 0, 40, 0, 0b0000_0100, 3, 232, 0, 0],
    [0, 64, 0, 100, 0b0001_1000, 0, 50, 0, 0b0000_1100, 3, 232, 3, 231, 0, 0, 0, 0],
    [0, 64, 0, 100, 0b0001_1000, 0, 50, 0b1100_0000, 0b0000_0100, 3, 232, 0, 0],
    [0, 64, 0, 100, 0b0001_1000, 0, 50, 0, 0b0000_0100, 0, 0, 0, 0],
  ]

  @Test(arguments: broken)
  func `What breaks a constraint is refused`(payload: [UInt8]) {
    let error = #expect(throws: AdaptiveToneMapError.self) { try AdaptiveToneMap(payload: payload) }
    #expect(error != .tooShort && error?.description.isEmpty == false, "\(String(describing: error))")
  }

  /// Whatever bytes come, nothing traps and light stays finite and within the display.
  @Test func `Random payloads`() throws {
    let templates = try vectors("st2094-50", "outputs", Output.self).map(\.payload)
    var random = SystemRandomNumberGenerator()
    var accepted = 0
    for round in 0..<600 {
      var payload = templates[round % templates.count]
      for _ in 0..<3 {
        payload[Int.random(in: 1..<payload.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let map = try? AdaptiveToneMap(payload: payload) else { continue }
      accepted += 1
      guard let mapper = Self.mapping(map, headroom: 2).mapper else { continue }
      for rgb in [SIMD3(0.0, 0, 0), SIMD3(5000, -3, 0.1), SIMD3(.nan, 1, .infinity), SIMD3(-5, -5, -5)] {
        let light = mapper.map(rgb)
        for index in 0..<3 { #expect(light[index].isFinite && light[index] <= 200, "\(payload) \(rgb)") }
      }
    }
    #expect(accepted > 20)
  }

  @Test func `What cannot be applied is said, and the system mapper takes over`() {
    let curve = AdaptiveToneMap.Curve(points: [.init(x: 1000, y: 5000), .init(x: 4000, y: 20_000)])
    let bad: [AdaptiveToneMap.Method] = [
      .alternates([.init(headroom: 0, mix: .component, curve: curve)], space: .bt2020),
      .alternates(
        [.init(headroom: 0, mix: .maximum, curve: curve), .init(headroom: 5000, mix: .luma, curve: curve)],
        space: .bt2020),
      .alternates([.init(headroom: 0, mix: .maximum, curve: curve)], space: .custom([1, 1, 1, 1, 1, 1, 1, 1])),
      .alternates([.init(headroom: 0, mix: .maximum, curve: curve)], space: .custom([0, 0, 0, 0, 0, 0, 0, 0])),
    ]
    for method in bad {
      let map = AdaptiveToneMap(adaptation: .init(baselineHeadroom: 20_000, method: method))
      var tracker = ShotTracker(use: .everything, descriptor: .hlg, masteringDisplay: nil)
      let shot = tracker.parameters(for: HDRMetadata(adaptiveToneMap: map))
      #expect(shot == ShotParameters(contentPeak: 812, referenceWhite: 203))
      #expect(tracker.takeIgnored().count == 1 && tracker.takeIgnored().isEmpty)
    }
  }
}

import ColorScience
import Frames
import Rendering
import Testing
import ToneMapping

/// The same parameters for every frame of a shot, whatever its metadata does.
struct SceneTrackerTests {
  static let descriptor = EDRMetadata.hdr10(minLuminance: 0.005, maxLuminance: 4000)

  static func tracker(_ use: ShotTracker.Use = .everything) -> ShotTracker {
    ShotTracker(use: use, descriptor: descriptor, masteringDisplay: nil)
  }

  /// - Parameters: In cd/m².
  static func plus(
    _ peak: Double, average: Double, curve: [UInt16]? = [300, 600, 900], target: UInt32 = 400
  ) -> HDRMetadata {
    let units = UInt32(peak * 10)
    return HDRMetadata(
      hdr10Plus: HDR10PlusMetadata(
        targetedMaxLuminance: target, maxSCL: SIMD3(units, units / 2, units / 3), averageMaxRGB: UInt32(average * 10),
        distribution: [
          .init(percentage: 1, value: 0), .init(percentage: 5, value: units), .init(percentage: 10, value: 80),
          .init(percentage: 50, value: UInt32(average * 5)), .init(percentage: 99, value: UInt32(average * 20)),
        ], curve: curve.map { .init(kneeX: 30, kneeY: 70, anchors: $0) }))
  }

  /// The sets of parameters in their order, each with the frame that it begins at.
  static func sets(_ frames: [HDRMetadata], _ use: ShotTracker.Use = .everything) -> [(Int, ShotParameters?)] {
    var tracker = tracker(use)
    var result: [(Int, ShotParameters?)] = []
    for (index, frame) in frames.enumerated() {
      let parameters = tracker.parameters(for: frame)
      if result.isEmpty || result.last?.1 != parameters { result.append((index, parameters)) }
    }
    return result
  }

  /// Every frame has metadata of its own: mean, peak and curve tremble as those of a phone do.
  static func jitter(_ count: Int, around average: Double, peak: Double, curve: Bool) -> [HDRMetadata] {
    (0..<count).map { index in
      let tremble = 0.5 - Double(index &* 7919 % 101) / 100
      return plus(
        peak * (1 - 0.08 * tremble), average: average * (1 + 0.8 * tremble),
        curve: curve ? [300 + UInt16(index % 40), 600, 900 - UInt16(index % 30)] : nil)
    }
  }

  @Test(arguments: [true, false], [ShotTracker.Use.everything, .hdr10Plus, .levels])
  func `Trembling metadata gives one set`(hasCurve: Bool, use: ShotTracker.Use) {
    let frames = Self.jitter(300, around: 120, peak: 1200, curve: hasCurve)
    #expect(Set(frames).count > 100)
    let sets = Self.sets(frames, use)
    #expect(sets.count == 1)
    #expect((sets[0].1?.curve != nil) == (hasCurve && use != .levels))
  }

  @Test func `A jump of the light in trembling metadata is a new shot, at its frame`() {
    let frames =
      Self.jitter(40, around: 40, peak: 1000, curve: true) + Self.jitter(40, around: 200, peak: 1000, curve: true)
    #expect(Self.sets(frames).map(\.0) == [0, 40])
  }

  @Test func `Metadata that is constant over shots is taken exactly at its changes`() {
    let shots = [(100.0, 24), (110, 30), (104, 12), (106, 50)]
    let frames = shots.flatMap { average, count in Array(repeating: Self.plus(1000, average: average), count: count) }
    #expect(Self.sets(frames).map(\.0) == [0, 24, 54, 66])
    let alone = shots.map { Self.sets([Self.plus(1000, average: $0.0)])[0].1 }
    #expect(Self.sets(frames).map(\.1) == alone)
  }

  @Test func `Metadata that settles after a short shot is taken then`() {
    let frames =
      Array(repeating: Self.plus(1000, average: 100), count: 30)
      + Array(repeating: Self.plus(1000, average: 104), count: 3)
      + Array(repeating: Self.plus(1000, average: 102), count: 30)
    #expect(Self.sets(frames).map(\.0) == [0, 30, 44])
  }

  @Test func `Frames without metadata are as the one before`() {
    var frames = Array(repeating: Self.plus(1000, average: 100), count: 20)
    frames[5] = HDRMetadata()
    frames[13] = HDRMetadata()
    #expect(Self.sets([HDRMetadata()] + frames).map(\.0) == [0, 1])
  }

  @Test func `The peak of a shot is never below that of a frame`() {
    let peaks: [Double] = [600, 590, 605, 800, 810, 700, 1500, 200]
    let frames = peaks.enumerated().map { Self.plus($1, average: 100 + Double($0), curve: nil) }
    var tracker = Self.tracker()
    var last = 0.0
    var raises = 0
    for (peak, frame) in zip(peaks, frames) {
      let held = tracker.parameters(for: frame)?.contentPeak ?? 0
      #expect(PQ.inverseEOTF(held) >= PQ.inverseEOTF(peak) - 0.01 && held >= last)
      if held > last { raises += 1 }
      last = held
    }
    #expect(raises == 3)
  }

  @Test func `The mastering display bounds the peak, where it is believed`() {
    let display = MasteringDisplay(
      red: .init(x: 34_000, y: 16_000), green: .init(x: 13_250, y: 34_500), blue: .init(x: 7500, y: 3000),
      white: .init(x: 15_635, y: 16_450), maxLuminance: 10_000_000, minLuminance: 50)
    for (metadata, expected) in [(display, 1000.0), (nil, 1783)] {
      var tracker = ShotTracker(use: .everything, descriptor: Self.descriptor, masteringDisplay: metadata)
      #expect(tracker.parameters(for: Self.plus(1783, average: 100, curve: nil))?.contentPeak == expected)
    }
  }

  /// Metadata, whether a curve or a peak follows, and what is said.
  static let nonsense: [(HDRMetadata, Bool, Double?, String)] = [
    (plus(1000, average: 100, target: 0), false, 1000, "display's peak of 0"),
    (plus(1000, average: 100, target: 20_000), false, 1000, "20000"),
    (plus(1000, average: 100, curve: [600, 300]), false, 1000, "anchors"),
    (plus(13_000, average: 100, curve: nil), false, nil, "above 10000"),
    (
      HDRMetadata(
        hdr10Plus: HDR10PlusMetadata(targetedMaxLuminance: 0, maxSCL: .zero, averageMaxRGB: 0)), false, nil, "is 0"
    ),
    (
      HDRMetadata(
        hdr10Plus: HDR10PlusMetadata(
          targetedMaxLuminance: 400, maxSCL: SIMD3(5000, 5000, 5000), averageMaxRGB: 100,
          distribution: [.init(percentage: 50, value: 900), .init(percentage: 99, value: 100)],
          curve: .init(kneeX: 10, kneeY: 10, anchors: [500]))), true, nil, "percentiles"
    ),
    (
      HDRMetadata(
        hdr10Plus: HDR10PlusMetadata(
          targetedMaxLuminance: 400, maxSCL: SIMD3(5000, 5000, 5000), averageMaxRGB: 100,
          curve: .init(kneeX: 0, kneeY: 10, anchors: [500]))), false, 500, "black"
    ),
  ]

  @Test(arguments: nonsense)
  func `Nonsense is said once and not obeyed`(metadata: HDRMetadata, curve: Bool, peak: Double?, said: String) {
    var tracker = Self.tracker()
    let found = tracker.parameters(for: metadata)
    #expect((found?.curve != nil) == curve && found?.contentPeak == peak)
    let sentences = tracker.takeIgnored()
    #expect(sentences.count == 1 && sentences[0].contains(said), "\(sentences)")
    _ = tracker.parameters(for: Self.plus(900, average: 2))
    _ = tracker.parameters(for: metadata)
    #expect(tracker.takeIgnored().isEmpty)
  }

  @Test func `ST 2094-50 goes before HDR10+, and is taken as it comes`() {
    func map(_ white: UInt16) -> AdaptiveToneMap {
      AdaptiveToneMap(
        codedReferenceWhite: white, adaptation: .init(baselineHeadroom: 20_000, method: .referenceWhite))
    }
    var both = Self.plus(1000, average: 100)
    both.adaptiveToneMap = map(500)
    var next = both
    next.adaptiveToneMap = map(505)
    let sets = Self.sets([both, both, next, HDRMetadata()])
    #expect(sets.map(\.0) == [0, 2])
    #expect(
      sets.map(\.1)
        == [100, 101].map { ShotParameters(contentPeak: 4 * $0, referenceWhite: $0, curve: .referenceWhite) })
    #expect(Self.sets([both], .hdr10Plus)[0].1?.curve != nil)
  }

  @Test func `HDR10+ means nothing beside HLG`() {
    var tracker = ShotTracker(use: .everything, descriptor: .hlg, masteringDisplay: nil)
    #expect(tracker.parameters(for: Self.plus(1000, average: 100)) == nil)
  }
}

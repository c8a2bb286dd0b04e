import ColorScience
import Foundation
import Frames
import Rendering
import TestSupport
import Testing

import ToneMapping

/// Curves against the numbers of their standards, and what holds for all of them.
struct ToneCurveTests {
  struct Color: Decodable {
    let content: Double
    let display: Double
    let rgb: SIMD3<Double>
    let output: SIMD3<Double>
  }

  struct Output: Decodable {
    let content: Double
    let black: Double
    let display: Double
    let nits: Double
    let output: Double
  }

  /// Display peak and black; pairs of content and display cd/m² for content of 4000 cd/m² and no black.
  static let bt2390: [(Double, Double, [(Double, Double)])] = [
    (
      203, 0,
      [
        (26, 26), (100, 85.8995), (203, 127.9345), (500, 173.2453), (1000, 193.6963), (2000, 201.8247), (4000, 203),
      ]
    ),
    (
      1000, 0.005,
      [
        (0.1, 0.1494), (1, 1.1510), (100, 100.5496), (203, 203.4742), (1000, 814.7652), (2000, 975.05),
      ]
    ),
    (600, 0.05, [(10, 11.2238), (100, 101.6899), (500, 414.3751), (1000, 538.1533), (4000, 600)]),
  ]

  @Test(arguments: bt2390)
  func `BT.2390 vectors`(peak: Double, black: Double, samples: [(Double, Double)]) {
    for (nits, expected) in samples {
      #expect(
        abs(grey(.bt2390, conditions(4000, to: peak, sdrWhite: 203, black: black), nits) - expected) < 6e-5
          * max(1, expected))
    }
    guard
      case .maxRGB(let curve) = ToneCurve.bt2390.mapper(conditions(4000, to: peak, sdrWhite: 203, black: black))
        .application
    else { return }
    #expect(abs(curve(0) - black) < 1e-9)
  }

  @Test(arguments: [
    (1.0, 0.09848), (10, 0.23616), (26, 0.33459), (100, 0.53875), (203, 0.68686), (500, 0.87785), (1000, 1),
  ])
  func `BT.2446 A luma`(nits: Double, luma: Double) {
    let found = grey(.bt2446a, conditions(1000, to: 100), nits)
    #expect(abs(BT1886(white: 100).inverseEOTF(found) - luma) < 6e-6)
  }

  @Test func `BT.2446 A colours`() throws {
    for color in try vectors("bt2446a", "colors", Color.self) {
      let found = ToneCurve.bt2446a.mapper(conditions(color.content, to: color.display)).map(color.rgb)
      for index in 0..<3 { #expect(abs(found[index] - color.output[index]) < 1e-8, "\(color)") }
    }
  }

  @Test func `Spline equals libplacebo's formulas`() throws {
    for row in try vectors("spline", "outputs", Output.self) {
      let found = grey(
        .spline, conditions(row.content, to: row.display, sdrWhite: 203, contentBlack: row.black), row.nits)
      #expect(abs(found - row.output) < 1e-8 * max(1, row.output), "\(row)")
    }
  }

  @Test func `Mobius keeps the lower three tenths of the display`() {
    #expect(abs(grey(.mobius, conditions(1000, to: 203, sdrWhite: 203), 60) - 60) < 1e-12)
    #expect(grey(.mobius, conditions(1000, to: 203, sdrWhite: 203), 100) < 100)
  }

  /// On any display, these are the curve for one with SDR white at the reference white, scaled.
  @Test(arguments: [ToneCurve.bt2390, .spline, .hable, .mobius, .reinhard], [(1.0, 0.0), (3, 0), (1, 0.2)])
  func `White is at reference white`(curve: ToneCurve, display: (headroom: Double, black: Double)) {
    let scaled = conditions(4000, to: 203 * display.headroom, sdrWhite: 203, black: display.black * 2.03)
    let shown = conditions(4000, to: 100 * display.headroom, black: display.black)
    for nits in [0.01, 1, 26, 203, 1000, 4000] {
      let expected = grey(curve, scaled, nits) / 2.03
      #expect(abs(grey(curve, shown, nits) - expected) < 1e-9 * max(expected, 1), "\(nits)")
    }
  }

  /// FFmpeg's filter with 203 cd/m² at 1, on a display of 100 cd/m².
  @Test(arguments: [ToneCurve.hable, .mobius, .reinhard])
  func `Curves equal FFmpeg's of the same name`(curve: ToneCurve) throws {
    let levels = (0..<64).map { 1000 * pow(Double($0) / 63, 3) }
    let scratch = try Scratch()
    let plane = Data(
      levels.flatMap { nits in
        let bits = Float(nits / 203).bitPattern
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
      })
    try (plane + plane + plane).write(to: URL(fileURLWithPath: scratch.path("in.raw")))
    let raw = ["-f", "rawvideo", "-pix_fmt", "gbrpf32le"]
    let filter = "tonemap=\(curve.name):desat=0:peak=\(1000 / 203.0)"
    let output = try Tool.ffmpeg.run(
      raw + ["-s", "64x1", "-color_trc", "linear", "-i", scratch.path("in.raw"), "-vf", filter] + raw + ["-"])
    for (index, nits) in levels.enumerated() {
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(output[4 * index + $1]) << (8 * UInt32($1)) }
      let expected = Double(Float(bitPattern: bits)) * 100
      #expect(abs(grey(curve, conditions(1000, to: 100), nits) - expected) < 0.01, "\(nits): \(expected)")
    }
  }

  static let pairs: [ToneConditions] = [
    conditions(1000, to: 100), conditions(4000, to: 203, sdrWhite: 203), conditions(10_000, to: 80),
    conditions(1000, to: 600, contentBlack: 0.005, black: 0.05), conditions(1000, to: 999.999),
    conditions(300, to: 1000), conditions(10_000, to: 1000, contentBlack: 0.005), conditions(203, to: 100),
    conditions(4000, to: 400, black: 1),
  ]

  static let cases = ToneCurve.all.flatMap { curve in pairs.map { (curve, $0) } }

  @Test(arguments: cases)
  func `Greys rise up to the display's peak and stay grey`(curve: ToneCurve, conditions: ToneConditions) {
    let mapper = curve.mapper(conditions)
    // See `ReferenceWhiteToneMap` for why it may fall.
    let fall = curve == .st2094_50 && conditions.contentPeak > 4000 ? 0.05 : 1e-12
    var last = 0.0
    for step in 0...2000 {
      let nits = PQ.eotf(Double(step) / 2000)
      let mapped = mapper.map(SIMD3(repeating: nits))
      #expect(abs(mapped.x - mapped.y) < 1e-9 && abs(mapped.y - mapped.z) < 1e-9)
      #expect(mapped.x >= last * (1 - fall), "\(curve.name) falls at \(nits) cd/m²")
      #expect(mapped.max() <= conditions.display.peak)
      last = max(last, mapped.x)
    }
    // These keep light as it is; the others place reference white at SDR white.
    let isAbsolute = [.clip, .bt2446a].contains(curve)
    let scale = isAbsolute ? 1 : conditions.display.sdrWhite / conditions.referenceWhite
    let (expected, atPeak) = (conditions.contentPeak * scale, grey(curve, conditions, conditions.contentPeak))
    #expect(abs(atPeak - min(expected, conditions.display.peak)) < 1e-6 * atPeak, "\(curve.name) \(atPeak)")
    if expected <= conditions.display.peak, conditions.display.black == 0 {
      #expect(abs(grey(curve, conditions, 150) - 150 * scale) < 1e-9)
    }
  }

  @Test(arguments: cases)
  func `Nonsense light gives finite light`(curve: ToneCurve, conditions: ToneConditions) {
    let mapper = curve.mapper(conditions)
    let values: [Double] = [0, -0.0, -5, 1e-300, 50, 1e9, .infinity, -.infinity, .nan]
    for r in values {
      for g in values {
        let mapped = mapper.map(SIMD3(r, g, 0.5))
        for index in 0..<3 { #expect(mapped[index].isFinite && mapped[index] <= conditions.display.peak) }
      }
    }
    #expect(mapper.map(.zero) == .zero)
  }

  @Test(arguments: ToneCurve.all.filter { $0.name != "bt2446a" })
  func `Ratios of components stay, signs too`(curve: ToneCurve) {
    let mapped = curve.mapper(conditions(1000, to: 100)).map(SIMD3(400, -40, 100))
    #expect(mapped.x > 0 && abs(mapped.y / mapped.x + 0.1) < 1e-12 && abs(mapped.z / mapped.x - 0.25) < 1e-12)
  }

  @Test func `Curves are found by name, in order`() {
    let names = ["system", "st2094-50", "bt2390", "bt2446a", "spline", "reinhard", "hable", "mobius", "clip"]
    #expect(ToneCurve.all.map(\.name) == names)
    #expect(names.allSatisfy { ToneCurve.named($0)?.name == $0 } && ToneCurve.named("none") == nil)
    #expect(ToneCurve.all.allSatisfy { !$0.summary.isEmpty && !$0.summary.contains("\n") })
  }

  /// A file may state a black above its peak; no curve may trap on it or leave its range.
  @Test func `A black that is not below the peak`() {
    let metadata = HDRMetadata(
      masteringDisplay: MasteringDisplay(
        red: .init(x: 0, y: 0), green: .init(x: 0, y: 0), blue: .init(x: 0, y: 0), white: .init(x: 0, y: 0),
        maxLuminance: 10_000_000, minLuminance: 2_000_000), contentLight: ContentLight(maxCLL: 150, maxFALL: 100))
    let edr = EDRMetadata.describing(transfer: .pq, metadata: metadata)
    #expect(edr?.contentBlack == EDRMetadata.defaultMinLuminance && edr?.contentPeak == 150)
    #expect(edr?.ignored.count == 1)
    for curve in ToneCurve.all {
      for (black, displayBlack) in [(200.0, 0.0), (150, 150), (.nan, 500)] {
        let mapper = curve.mapper(
          ToneConditions(
            contentPeak: 150, contentBlack: black,
            display: Display(sdrWhite: 100, peak: 100, black: displayBlack, primaries: .bt709)))
        for nits in [0.0, 1, 100, 150, 1000] {
          let light = mapper.map(SIMD3(repeating: nits)).x
          #expect(light >= 0 && light <= 100, "\(curve.name) \(nits)")
        }
      }
    }
  }
}

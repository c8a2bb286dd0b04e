import ColorScience
import Testing

/// Transfer functions against the standards' own numbers and colour-science.
struct TransferFunctionTests {
  struct HLGFile: Decodable {
    struct Color: Decodable {
      let peak: Double
      let black: Double
      let signal: SIMD3<Double>
      let nits: SIMD3<Double>
    }
    let oetf: [SIMD2<Double>]
    let eotf: [Color]
  }

  struct BT1886File: Decodable {
    struct Sample: Decodable {
      let white: Double
      let black: Double
      let signal: Double
      let nits: Double
    }
    let eotf: [Sample]
  }

  /// cd/m², signal, ten-bit codes narrow and full.
  static let pqTable: [(Double, Double, Int, Int)] = [
    (0.005, 0.015076, 77, 15), (0.1, 0.062337, 119, 64), (1, 0.149946, 195, 153), (10, 0.299699, 327, 307),
    (26, 0.380032, 397, 389), (100, 0.508078, 509, 520), (203, 0.580689, 573, 594), (400, 0.652579, 636, 668),
    (600, 0.696294, 674, 712), (1000, 0.751827, 723, 769), (2000, 0.827425, 789, 846), (4000, 0.902572, 855, 923),
    (10_000, 1, 940, 1023),
  ]

  @Test(arguments: pqTable)
  func `PQ signal and codes of a luminance`(nits: Double, signal: Double, narrow: Int, full: Int) {
    let coded = PQ.inverseEOTF(nits)
    #expect(abs(coded - signal) < 5.1e-7)
    #expect(SampleScale(bitDepth: 10, range: .narrow).code(fromLuma: coded) == narrow)
    #expect(SampleScale(bitDepth: 10, range: .full).code(fromLuma: coded) == full)
    #expect(close(PQ.eotf(coded), nits, 1e-11))
  }

  @Test func `PQ equals colour-science and survives nonsense`() throws {
    for sample in try vectors("pq", [String: [SIMD2<Double>]].self)["eotf"]! {
      #expect(close(PQ.eotf(sample.x), sample.y, 1e-9))
    }
    for signal: Double in [-1, -.infinity, .nan, 0] { #expect(PQ.eotf(signal) == 0) }
    for signal: Double in [2, .infinity] { #expect(close(PQ.eotf(signal), 10_000, 1e-12)) }
    #expect(PQ.inverseEOTF(.nan) == PQ.inverseEOTF(0) && abs(PQ.inverseEOTF(-1) - 7.3e-7) < 1e-8)
    #expect(PQ.inverseEOTF(.infinity) == 1)
    #expect(abs(PQ.eotf(0.724769816665726) - 779.9883608) < 1e-6)
  }

  /// Twelfths of scene white; signal, printed with its fourth digit cut off.
  static let hlgTable: [(Double, Double)] = [
    (0.125, 0.176), (0.25, 0.250), (0.375, 0.306), (1, 0.5), (2, 0.656), (3, 0.738), (4, 0.794), (5, 0.837),
    (6, 0.871), (7, 0.900), (8, 0.925), (9, 0.947), (10, 0.966), (11, 0.984), (12, 1),
  ]

  @Test(arguments: hlgTable)
  func `HLG signal of scene light`(twelfths: Double, signal: Double) {
    let scene = twelfths / 12
    #expect((signal..<signal + 1e-3).contains(HLG.oetf(scene) + 1e-8))
    #expect(close(HLG.inverseOETF(HLG.oetf(scene)), scene, 1e-12))
  }

  @Test(arguments: [
    (100.0, 0.8459), (203, 0.9419), (300, 0.9995), (400, 1.0329), (600, 1.1068), (1000, 1.2), (2000, 1.3264),
    (4000, 1.4812),
  ])
  func `HLG system gamma`(peak: Double, gamma: Double) {
    #expect(abs(HLG.gamma(peak: peak) - gamma) < 6e-5)
    #expect(close(HLG.gamma(peak: peak, surround: 10), 0.98 * HLG.gamma(peak: peak), 1e-14))
  }

  /// BT.2408 table 1 and the grey levels computed for it: signal, cd/m² at a peak of 1000.
  @Test(arguments: [(0.75, 203.152), (0.5, 50.697), (0.38, 26.238), (1, 1000), (0.3786, 26), (0.7126, 162)])
  func `HLG luminance of a grey`(signal: Double, nits: Double) {
    let light = HLG.eotf(SIMD3(repeating: signal), peak: 1000)
    #expect(close(light, SIMD3(repeating: nits), 5e-4))
  }

  @Test func `HLG OOTF factors of primaries and round trip`() {
    let factors: [(SIMD3<Double>, Double)] = [
      (SIMD3(0, 0, 0.1), 1.60136703633), (SIMD3(0, 0.1, 0), 1.06691147061), (SIMD3(0, 0.1, 0.1), 1.05210550828),
      (SIMD3(0.1, 0, 0), 1.24955867676), (SIMD3(0.1, 0, 0.1), 1.20788064268), (SIMD3(0.1, 0.1, 0), 1.01024057949),
      (SIMD3(0.1, 0.1, 0.1), 1),
    ]
    // The published factors are those of a display light of 0.1, relative to grey of the same level.
    let grey = HLG.inverseOOTF(SIMD3(repeating: 100), peak: 1000, gamma: 1.2).x
    for (color, factor) in factors {
      let scene = HLG.inverseOOTF(color * 1000, peak: 1000, gamma: 1.2)
      #expect(abs(scene.max() / grey - factor) < 1e-10)
      #expect(close(HLG.ootf(scene, peak: 1000, gamma: 1.2), color * 1000, 1e-12))
    }
    #expect(abs(HLG.ootf(SIMD3(repeating: 0.1), peak: 1000, gamma: 1.2).x - 63.0957344) < 1e-7)
    #expect(HLG.ootf(SIMD3(-1, 0, 0), peak: 203, gamma: 0.94) == .zero)
  }

  @Test func `HLG equals colour-science`() throws {
    let file = try vectors("hlg", HLGFile.self)
    for sample in file.oetf { #expect(close(HLG.oetf(sample.x), sample.y, 1e-8)) }
    for color in file.eotf {
      #expect(close(HLG.eotf(color.signal, peak: color.peak, black: color.black), color.nits, 1e-7))
    }
    for signal: Double in [-1, -.infinity, .nan] { #expect(HLG.inverseOETF(signal) == 0 && HLG.oetf(signal) == 0) }
    #expect(abs(HLG.eotf(.zero, peak: 1000, black: 0.005).x - 0.005) < 1e-12)
  }

  @Test func `BT.1886 equals colour-science and is a plain power without black`() throws {
    for sample in try vectors("bt1886", BT1886File.self).eotf {
      let display = BT1886(white: sample.white, black: sample.black)
      #expect(close(display.eotf(sample.signal), sample.nits, 1e-10))
      #expect(close(display.inverseEOTF(display.eotf(sample.signal)), sample.signal, 1e-10))
    }
    #expect(BT1886().eotf(1) == 1 && BT1886().eotf(0) == 0 && BT1886().eotf(-0.1) == 0)
    #expect(close(BT1886(white: 100, black: 0.05).eotf(0), 0.05, 1e-12))
  }

  @Test func `Camera curves equal colour-science and are odd`() throws {
    let file = try vectors("camera", [String: [SIMD2<Double>]].self)
    // The published constants have four digits.
    for sample in file["bt2020"]! { #expect(abs(BT709Transfer.oetf(sample.x) - sample.y) < 2e-5) }
    for sample in file["srgb"]! { #expect(close(SRGB.eotf(sample.x), sample.y, 1e-12)) }
    for x in stride(from: -0.5, through: 1.2, by: 0.05) {
      #expect(close(BT709Transfer.inverseOETF(BT709Transfer.oetf(x)), x, 1e-12))
      #expect(close(SRGB.inverseEOTF(SRGB.eotf(x)), x, 1e-6))
      #expect(SRGB.eotf(-x) == -SRGB.eotf(x) && BT709Transfer.oetf(-x) == -BT709Transfer.oetf(x))
    }
    let (alpha, beta) = (BT709Transfer.alpha, BT709Transfer.beta)
    #expect(close(4.5 * beta, BT709Transfer.oetf(beta), 1e-12))
    #expect(close(alpha - 1, 5.5 * beta, 1e-12))
  }
}

import Testing

import ToneMapping

/// The Reference White Tone Mapping Operator against the published vectors.
struct ReferenceWhiteToneMapTests {
  struct Output: Decodable {
    let peak: Double
    let headroom: Double
    let nits: Double
    let output: Double
  }

  /// Baseline of one stop: points of the rendition without headroom, then of the one in the middle (x, y, slope).
  static let points: [[[Double]]] = [
    [
      [1, 1.06461, 1.15531, 1.27209, 1.41494, 1.58388, 1.77890, 2],
      [-0.35356, -0.37367, -0.42913, -0.51246, -0.61663, -0.73563, -0.86465, -1],
      [0, -0.50266, -0.68079, -0.73059, -0.72159, -0.68535, -0.63784, -0.58742],
    ],
    [
      [1, 1.10504, 1.22269, 1.35294, 1.49580, 1.65126, 1.81933, 2],
      [0, -0.01253, -0.04583, -0.09477, -0.15559, -0.22550, -0.30244, -0.38489],
      [0, -0.21470, -0.33759, -0.40581, -0.44088, -0.45573, -0.45828, -0.45351],
    ],
  ]

  @Test func `Control points of a baseline of one stop`() {
    let middle = ReferenceWhiteToneMap.middleHeadroom(baseline: 1)
    #expect(abs(middle - 0.6151137836) < 1e-10)
    let white = 1 - ReferenceWhiteToneMap.strength(baseline: 1) / 2
    let curves = [
      GainCurve(baselineHeadroom: 1, headroom: 0, white: white),
      GainCurve(baselineHeadroom: 1, headroom: middle, white: 1),
    ]
    for (curve, expected) in zip(curves, Self.points) {
      for (index, point) in curve.points.enumerated() {
        #expect(abs(point.x - expected[0][index]) < 6e-6)
        #expect(abs(point.y - expected[1][index]) < 6e-6)
        #expect(abs(point.slope - expected[2][index]) < 6e-6)
      }
    }
  }

  /// Target headroom in stops; outputs of 0.5, 1, 2 and 4 for a baseline of two stops.
  static let images: [(Double, [Double])] = [
    (0, [0.282651, 0.565302, 0.815278, 1.0]), (1, [0.449377, 0.898755, 1.471569, 2.0]),
    (1.2302276, [0.5, 1, 1.685886, 2.346040]), (1.5849625, [0.5, 1, 1.823991, 3]), (2, [0.5, 1, 2, 4]),
    (5, [0.5, 1, 2, 4]),
  ]

  @Test(arguments: images)
  func `Greys of a baseline of two stops`(target: Double, outputs: [Double]) {
    let map = ReferenceWhiteToneMap(baselineHeadroom: 2, targetHeadroom: target, .standardized)
    for (input, output) in zip([0.5, 1, 2, 4], outputs) { #expect(abs(map.output(input) - output) < 2e-6) }
  }

  /// Display headroom, colour and result relative to white, for content of four times reference white.
  static let colors: [(Double, SIMD3<Double>, SIMD3<Double>)] = [
    (1, SIMD3(1, 0.5, 0.25), SIMD3(0.565302, 0.282651, 0.141326)), (1, SIMD3(1, 2, 4), SIMD3(0.25, 0.5, 1)),
    (2, SIMD3(1, 2, 4), SIMD3(0.5, 1, 2)),
  ]

  @Test(arguments: colors)
  func `Colours share one gain`(headroom: Double, color: SIMD3<Double>, expected: SIMD3<Double>) {
    let mapped = ToneCurve.st2094_50.mapper(conditions(4 * 203, to: 150 * headroom, sdrWhite: 150)).map(color * 203)
    for index in 0..<3 { #expect(abs(mapped[index] / 150 - expected[index]) < 2e-6) }
  }

  /// Content peak, display headroom, output for 26, 100, 203, 500, 1000, 2000, 4000 and 10000 cd/m².
  static let table: [(Double, Double, [Double])] = [
    (1000, 1, [0.0640, 0.2463, 0.5000, 0.8067, 1.0]), (1000, 2, [0.1045, 0.4020, 0.8160, 1.4957, 2.0]),
    (1000, 4, [0.1281, 0.4926, 1.0, 2.2684, 4.0]), (1000, 4.9262, [0.1281, 0.4926, 1.0, 2.4631, 4.9261]),
    (4000, 1, [0.0640, 0.2463, 0.5000, 0.6558, 0.7565, 0.8711, 1.0]),
    (4000, 2, [0.1045, 0.4020, 0.8160, 1.1708, 1.4136, 1.6902, 2.0]),
    (4000, 4, [0.1281, 0.4926, 1.0, 1.6492, 2.2392, 3.0089, 4.0]),
    (4000, 8, [0.1281, 0.4926, 1.0, 1.9633, 3.1546, 5.0389, 8.0]),
    (4000, 16, [0.1281, 0.4926, 1.0, 2.3373, 4.4441, 8.4383, 16.0]),
    (10_000, 4, [0.1281, 0.4926, 1.0, 1.4448, 1.8155, 2.2942, 2.9153, 4.0]),
  ]

  @Test(arguments: table)
  func `Table of outputs`(peak: Double, headroom: Double, outputs: [Double]) {
    let levels: [Double] = [26, 100, 203, 500, 1000, 2000, 4000, 10_000]
    for (nits, output) in zip(levels, outputs) {
      let found = grey(.st2094_50, conditions(peak, to: 100 * headroom), nits) / 100
      #expect(abs(found - output) < 6e-5, "\(nits) cd/m²")
    }
  }

  @Test func `Outputs equal SciPy's Hermite spline`() throws {
    let rows = try vectors("reference-white", "outputs", Output.self)
    #expect(rows.count > 100)
    for row in rows {
      let found = grey(.st2094_50, conditions(row.peak, to: 100 * row.headroom), row.nits) / 100
      #expect(abs(found - row.output) < 1e-10, "\(row)")
    }
  }

  @Test func `Reference white is kept from the middle rendition on, and halved without headroom`() {
    for peak in [1000.0, 4000, 10_000] {
      for headroom in [8.0 / 3, 4, 20] {
        #expect(abs(grey(.st2094_50, conditions(peak, to: 100 * headroom), 203) - 100) < 1e-9)
      }
      #expect(abs(grey(.st2094_50, conditions(peak, to: 100), 203) - 50) < 1e-9)
    }
  }
}

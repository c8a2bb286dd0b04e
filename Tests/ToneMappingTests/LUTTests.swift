import ColorScience
import Rendering
import Testing

import ToneMapping

/// Tables of colours: what lies between nodes, the text, and the error, against numbers made by hand.
struct LUTTests {
  /// PQ in, PQ out, nothing between.
  private static let identity = SignalMapping(
    source: .pq(unit: 100), stages: [], target: .pq(unit: 100),
    display: Display(sdrWhite: 100, peak: 10_000, primaries: .bt2020))

  /// The corners of a cell hold the product of red and green: 1 where both are 1.
  private static let product = CubeTable(size: 2) { SIMD3($0.x * $0.y, 0, 1 - $0.z) }

  @Test func `red is fastest`() {
    let cube = CubeTable(size: 3) { $0 }
    #expect(cube.values.count == 27)
    #expect(cube.values[1] == SIMD3(0.5, 0, 0) && cube.values[3] == SIMD3(0, 0.5, 0))
    #expect(cube.values[9] == SIMD3(0, 0, 0.5))
  }

  @Test(arguments: CubeTable.Interpolation.allCases)
  func `an identity stays one, out of range and not-a-number are limited`(between: CubeTable.Interpolation) {
    let cube = CubeTable(size: 17) { $0 }
    for red in stride(from: 0.0, through: 1, by: 0.0623) {
      for green in stride(from: 0.0, through: 1, by: 0.13) {
        let color = SIMD3(red, green, (red * 7.3).truncatingRemainder(dividingBy: 1))
        #expect((cube.color(at: color, between) - color).max() < 1e-12)
        #expect((color - cube.color(at: color, between)).max() < 1e-12)
      }
    }
    #expect(cube.color(at: SIMD3(-1, 2, .nan), between) == SIMD3(0, 1, 0))
  }

  /// Trilinear is the product itself; a tetrahedron that has the corner (1, 1) reaches it along the smaller of the two.
  @Test func `between nodes`() {
    for (color, tetrahedral) in [
      (SIMD3(0.5, 0.25, 0.75), 0.25), (SIMD3(0.25, 0.5, 0.75), 0.25), (SIMD3(0.75, 0.5, 0.25), 0.5),
      (SIMD3(0.875, 0.75, 0.8), 0.75), (SIMD3(1, 0.5, 0), 0.5), (SIMD3(1, 1, 0.5), 1),
    ] {
      let line = Self.product.color(at: color, .trilinear)
      #expect(abs(line.x - color.x * color.y) < 1e-15 && abs(line.z - (1 - color.z)) < 1e-15)
      let four = Self.product.color(at: color, .tetrahedral)
      #expect(abs(four.x - tetrahedral) < 1e-15 && abs(four.z - (1 - color.z)) < 1e-15)
    }
  }

  @Test func `a curve between its values`() {
    let curve = CurveTable(size: 3) { SIMD3($0 * $0, 1 - $0, 0.5) }
    #expect(curve.values == [SIMD3(0, 1, 0.5), SIMD3(0.25, 0.5, 0.5), SIMD3(1, 0, 0.5)])
    #expect(curve.value(at: SIMD3(0.25, 0.25, 2)) == SIMD3(0.125, 0.75, 0.5))
    #expect(curve.value(at: SIMD3(0.75, 1, -1)) == SIMD3(0.625, 0, 0.5))
  }

  /// All nodes lie below the end, which is moved to a value of the shaper, but the last, at 1. The identity comes out again.
  @Test(arguments: CubeTable.Interpolation.allCases)
  func `a shaper`(between: CubeTable.Interpolation) throws {
    let lut = SignalLUT(cubeOf: Self.identity, size: 5, end: 0.7518)
    let shaper = try #require(lut.shaper)
    guard case .cube(let cube) = lut.table else { return }
    let end = 770.0 / 1023
    for (node, signal) in [end / 3, end * 2 / 3, end, 1].enumerated() {
      #expect(abs(cube.values[node + 1].x - signal) < 1e-12)
    }
    #expect(abs(shaper.values[770].x - 0.75) < 1e-12 && abs(shaper.values[385].x - 0.375) < 1e-12)
    #expect(abs(shaper.values[1023].x - 1) < 1e-12)
    for signal in [0.1, 0.5, 0.7, end, 0.9, 1] {
      #expect(abs(lut.signal(at: SIMD3(repeating: signal), between).y - signal) < 1e-12)
    }
  }

  @Test func `text`() {
    let text = CubeText(title: "One", comments: ["two"])
    let curve = CurveTable(size: 2) { SIMD3($0, 1 / 3, 0.999_999_96) }
    #expect(
      text.text(.curve(curve)) == """
        TITLE "One"
        # two
        LUT_1D_SIZE 2
        DOMAIN_MIN 0.0 0.0 0.0
        DOMAIN_MAX 1.0 1.0 1.0
        0.0000000 0.3333333 1.0000000
        1.0000000 0.3333333 1.0000000

        """)
    let lines = text.text(CubeTable(size: 2) { $0 / 8 }, shaper: curve).split(separator: "\n")
    #expect(
      lines[...7] == [
        "# One", "# two", "LUT_1D_SIZE 2", "LUT_1D_INPUT_RANGE 0.0 1.0", "LUT_3D_SIZE 2", "LUT_3D_INPUT_RANGE 0.0 1.0",
        "0.0000000 0.3333333 1.0000000", "1.0000000 0.3333333 1.0000000",
      ])
    #expect(
      lines[8...10] == [
        "0.0000000 0.0000000 0.0000000", "0.1250000 0.0000000 0.0000000", "0.0000000 0.1250000 0.0000000",
      ])
    #expect(lines.count == 16)
  }

  /// ΔE ITP of greys is 720 times the difference of their PQ signals.
  @Test func `the error of greys`() {
    let greys = LUTAccuracy.Colors(Self.identity, greysUpTo: 0.5)
    #expect(greys.accuracy { $0 }.max < 1e-9)
    let lifted = greys.accuracy { $0 + 0.01 }
    #expect(abs(lifted.mean - 7.2) < 1e-3 && abs(lifted.max - 7.2) < 1e-3)
    // One in fifty is off.
    let few = greys.accuracy { $0.x < 0.01 ? $0 + 0.02 : $0 }
    #expect(abs(few.mean - 14.4 / 50) < 0.005 && abs(few.percentile99 - 14.4) < 1e-3 && few.worst.x < 0.01)
    #expect(greys.accuracy { $0.x < 0.004 ? $0 + 0.02 : $0 }.percentile99 < 1e-9)
  }

  /// The display of each target shows what its standard says signal 1 and a half are.
  @Test func `what is shown`() {
    func shown(_ target: SignalTransfer, _ display: Display, _ signal: SIMD3<Double>) -> SIMD3<Double> {
      SignalMapping(source: .pq(unit: 100), stages: [], target: target, display: display).shownNits(signal)
    }
    let sdr = Display(sdrWhite: 100, peak: 100, primaries: .bt709)
    let white = shown(.bt1886(peak: 1), sdr, SIMD3(repeating: 1))
    #expect((white - SIMD3(repeating: 100)).max().magnitude < 1e-9)
    // BT.2087: red of BT.709 in BT.2020.
    let red = shown(.bt1886(peak: 1), sdr, SIMD3(1, 0, 0))
    #expect((red - SIMD3(62.74, 6.91, 1.64)).max() < 0.01 && (SIMD3(62.74, 6.91, 1.64) - red).max() < 0.01)
    let hlg = Display(sdrWhite: 203, peak: 1000, primaries: .bt2020)
    #expect(abs(shown(.hlg, hlg, SIMD3(repeating: 1)).x - 1000) < 1e-3)
    // BT.2408, table 1: diffuse white is 75 % HLG and 58 % PQ, 203 cd/m².
    #expect(abs(shown(.hlg, hlg, SIMD3(repeating: 0.75)).y - 203) < 0.5)
    #expect(abs(shown(.pq(unit: 203), hlg, SIMD3(repeating: 0.5806888)).z - 203) < 0.01)
  }
}

import ColorScience
import SIMDShims
import Testing

import Rendering
import ToneMapping

/// What the tables of the kernels lose against the functions that they stand for.
@Suite struct ApproximationTests {
  /// The polynomial as the kernels evaluate it.
  private func value(_ polynomial: OctavePolynomial, _ x: Double) -> Double {
    let z = min(max(Float(x * polynomial.scale + OctavePolynomial.offset), polynomial.lowest), polynomial.highest)
    return withExtendedLifetime(polynomial) {
      Double(unsafe hr_octaves5(SIMD16(repeating: z), polynomial.rows.base)[0])
    }
  }

  struct Transfer: Sendable {
    var transfer: SignalTransfer
    /// Relative error of light at signals of 0.02 and above, and its error anywhere in ten-bit codes of signal.
    var light: (relative: Double, codes: Double)
    /// Error of the signal of any light in ten-bit codes.
    var signal: Double
  }

  /// A little above what was measured. Codes are lost at the bottom, in the first octave, where the function is as
  /// steep as a root or the step to the next code is below what half float resolves.
  static let transfers = [
    Transfer(transfer: .pq(unit: 203), light: (1.4e-4, 0.27), signal: 0.003),
    Transfer(transfer: .hlg, light: (7e-5, 0.18), signal: 0.06),
    Transfer(transfer: .bt1886(peak: 1), light: (6e-5, 0.11), signal: 0.095),
    Transfer(transfer: .sRGB(peak: 1), light: (6e-4, 0.8), signal: 0.006),
  ]

  static let grid = 100_000

  @Test(arguments: transfers)
  func light(_ test: Transfer) {
    let transfer = test.transfer
    let polynomial = OctavePolynomial.light(of: transfer)
    var (relative, codes) = (0.0, 0.0)
    for step in 0...Self.grid {
      let signal = Double(step) / Double(Self.grid)
      let (light, exact) = (raise(value(polynomial, signal), 4), transfer.light(fromSignal: signal))
      if signal >= 0.02 { relative = max(relative, (light / exact - 1).magnitude) }
      codes = max(codes, (transfer.signal(fromLight: light) - transfer.signal(fromLight: exact)).magnitude * 876)
    }
    #expect(relative < test.light.relative && codes < test.light.codes)
    let ends = [0, 1].map { Float16(raise(value(polynomial, $0), 4)) }
    #expect(ends == [0, Float16(transfer.peak)])
  }

  @Test(arguments: transfers)
  func signal(_ test: Transfer) {
    let transfer = test.transfer
    let roots = transfer.roots
    let polynomial = OctavePolynomial.signal(of: transfer)
    var codes = 0.0
    for step in 0...Self.grid {
      let root = Double(step) / Double(Self.grid)
      let exact = transfer.signal(fromLight: raise(root, roots) * transfer.peak)
      codes = max(codes, (value(polynomial, root) - exact).magnitude * 876)
    }
    #expect(codes < test.signal)
    #expect((value(polynomial, 0)).magnitude < 1e-6 && (value(polynomial, 1) - 1).magnitude < 1e-6)
  }

  /// Relative error over the 32 octaves of a table.
  private func error(_ table: SegmentTable, _ function: (Double) -> Double, upTo largest: Double) -> Double {
    let p = unsafe table.parameters
    let lowest = Double(unsafe p.lowest)
    var result = 0.0
    for step in 0...Self.grid {
      let x = Float(lowest * raise(largest / lowest, Double(step) / Double(Self.grid)))
      let exact = function(Double(x))
      result = max(result, (Double(unsafe hr_evaluate(p, SIMD16(repeating: x))[0]) / exact - 1).magnitude)
    }
    return withExtendedLifetime(table) { result }
  }

  /// A chord of a function that falls like 1/x is off by 2^-16. The luma curve of BT.2446-1 jumps by 1.3e-3 where its
  /// second piece begins, as the report's rounded constants have it, which a chord cannot follow.
  @Test func gains() {
    let functions: [(name: String, largest: Double, of: (Double) -> Double)] = [
      ("1/x", 49, { 1 / $0 }), ("x", 4.9, { $0 }), ("1", 1, { _ in 1 }),
      ("OOTF", 1, { HLG.ootf(SIMD3(repeating: $0), peak: 1000, gamma: 1.2).x / $0 }),
      ("inverse OOTF", 5, { HLG.inverseOOTF(SIMD3(repeating: $0 * 203), peak: 1000, gamma: 1.2).x / $0 }),
      ("BT.2446", 1, { BT2446A(contentPeak: 1000, displayPeak: 100).luma($0) / $0 }),
    ]
    for function in functions {
      let error = error(SegmentTable(covering: function.largest, function.of), function.of, upTo: function.largest)
      #expect(error < (function.name == "BT.2446" ? 86 : 1.01) * 0x1p-16, "\(function.name)")
    }
  }

  /// Smooth curves are followed to 2^-13. A curve with a corner is not where the corner falls inside a segment: that
  /// of `clip` at 113 cd/m² (1.13 units) costs 48 / 2^14, at most it can be 64.
  @Test(arguments: ToneCurve.all.indices, [(100.0, 100.0), (203, 600), (113, 113)])
  func curves(_ index: Int, _ display: (white: Double, peak: Double)) {
    let curve = ToneCurve.all[index]
    let conditions = ToneConditions(
      contentPeak: 4000, display: Display(sdrWhite: display.white, peak: display.peak, primaries: .bt2020))
    guard case .maxRGB(let map) = curve.mapper(conditions).application else { return }
    func function(_ x: Double) -> Double { ToneMapper.gain(of: map, at: x * 100) }
    let error = error(SegmentTable(covering: 100, function), function, upTo: 100)
    #expect(error < (curve.name == "clip" && display.peak == 113 ? 64 : 2) * 0x1p-14)
  }

  /// Beyond the table its ends hold; what is not a number counts as the lowest argument.
  @Test func outside() {
    let table = SegmentTable(covering: 1) { 1 / $0 }
    let p = unsafe table.parameters
    let values = unsafe hr_evaluate(
      p, SIMD16([0, -1, .nan, -.infinity, p.lowest] + [Float](repeating: .infinity, count: 11)))
    for lane in 1..<5 { #expect(values[lane] == values[0]) }
    let highest = unsafe p.highest
    #expect((values[5] - 1 / highest).magnitude < 1e-5)
    withExtendedLifetime(table) {}
  }
}

import ColorScience
import SIMDShims
import Testing

import Rendering
import ToneMapping

/// What the tables of the kernels lose against the functions that they stand for.
@Suite struct ApproximationTests {
  /// The polynomial at x.
  private func value(_ polynomial: PiecewisePolynomial, _ x: Double, degree: Int, _ tier: KernelTier) -> Double {
    let z = min(max(Float(x * polynomial.scale + polynomial.offset), polynomial.lowest), polynomial.highest)
    let p = unsafe polynomial.parameters
    let piece = unsafe Int(z.bitPattern >> p.shift) % tier.pieces
    // As the kernels compute it.
    return withExtendedLifetime(polynomial) {
      Double((1...degree).reduce(unsafe p.rows[piece]) { unsafe $0 * z + p.rows[tier.pieces * $1 + piece] })
    }
  }

  struct Transfer: Sendable {
    var transfer: SignalTransfer
    var reach = 1.0
    /// Relative error of light at signals of 0.02 and above, and its error anywhere in ten-bit codes of signal.
    var light: (relative: Double, codes: Double)
    /// Error of the signal of any light in ten-bit codes.
    var signal: Double
  }

  /// A little above what was measured, the larger of tables of 8 and of 16 pieces. Codes are lost at the bottom, in the
  /// first piece, where the function is as steep as a root or the step to the next code is below what half float
  /// resolves.
  static let transfers = [
    Transfer(transfer: .pq(unit: 203), light: (1.6e-4, 0.27), signal: 0.055),
    Transfer(transfer: .hlg, light: (1e-5, 0.01), signal: 0.085),
    Transfer(transfer: .bt1886(peak: 1), light: (6e-5, 0.11), signal: 0.04),
    Transfer(transfer: .bt1886Black(1e-5, peak: 1), light: (5e-4, 0.3), signal: 0.05),
    Transfer(transfer: .bt1886Black(1e-3, peak: 1), light: (5e-4, 0.3), signal: 0.05),
    Transfer(transfer: .bt1886Black(0.02, peak: 1), light: (5e-4, 0.3), signal: 0.05),
    Transfer(transfer: .sRGB(peak: 1), light: (6e-4, 0.8), signal: 0.015),
    Transfer(transfer: .hlg, reach: SignalTransfer.superWhite, light: (3e-5, 0.02), signal: 0.12),
    Transfer(transfer: .bt1886(peak: 1), reach: SignalTransfer.superWhite, light: (8e-5, 0.13), signal: 0.05),
  ]

  static let grid = 100_000

  @Test(arguments: KernelTier.supported, transfers)
  func light(_ tier: KernelTier, _ test: Transfer) {
    let transfer = test.transfer
    let (reach, polynomial) = (test.reach, PiecewisePolynomial.light(of: transfer, reach: test.reach, for: tier))
    let power = transfer.rootPower
    var (relative, codes) = (0.0, 0.0)
    for step in 0...Self.grid {
      let signal = Double(step) / Double(Self.grid) * reach
      let (light, exact) = (
        raise(value(polynomial, signal / reach, degree: HR_LIGHT_DEGREE, tier), power),
        transfer.light(fromSignal: signal, reach: reach)
      )
      if signal >= 0.02 { relative = max(relative, (light / exact - 1).magnitude) }
      let difference =
        transfer.signal(fromLight: light, reach: reach) - transfer.signal(fromLight: exact, reach: reach)
      codes = max(codes, difference.magnitude * 876)
    }
    #expect(relative < test.light.relative && codes < test.light.codes)
    let ends = [0, 1, reach].map { Float16(raise(value(polynomial, $0 / reach, degree: HR_LIGHT_DEGREE, tier), power)) }
    #expect(ends == [0, Float16(transfer.peak), Float16(transfer.peak(reach: reach))])
  }

  @Test(arguments: KernelTier.supported, transfers)
  func signal(_ tier: KernelTier, _ test: Transfer) {
    let transfer = test.transfer
    let roots = transfer.rootPower
    let (reach, polynomial) = (test.reach, PiecewisePolynomial.signal(of: transfer, reach: test.reach, for: tier))
    var codes = 0.0
    for step in 0...Self.grid {
      let root = Double(step) / Double(Self.grid)
      let exact = transfer.signal(fromLight: raise(root, roots) * transfer.peak(reach: reach), reach: reach)
      codes = max(codes, (value(polynomial, root, degree: HR_SIGNAL_DEGREE, tier) - exact).magnitude * 876)
    }
    #expect(codes < test.signal)
    #expect(
      (value(polynomial, 0, degree: HR_SIGNAL_DEGREE, tier)).magnitude < 1e-6
        && (value(polynomial, 1, degree: HR_SIGNAL_DEGREE, tier) - reach).magnitude < 1e-6)
  }

  /// A gain is the curve's own at every half float, corners included, but for its rounding to single precision.
  @Test(arguments: ToneCurve.all.indices, [(100.0, 100.0), (203, 600), (113, 113)])
  func gains(_ index: Int, _ display: (white: Double, peak: Double)) {
    let curve = ToneCurve.all[index]
    let conditions = ToneConditions(
      contentPeak: 4000, display: Display(sdrWhite: display.white, peak: display.peak, primaries: .bt2020))
    guard case .maxRGB(let map) = curve.mapper(conditions).application else { return }
    let table = GainTable.overHalves { ToneMapper.gain(of: map, at: $0 * display.white) }
    let scaled = table.scaled(by: 0.75)
    for bits in stride(from: UInt16(1), to: 0x7c00, by: 7) {
      let exact = ToneMapper.gain(of: map, at: Double(Float16(bitPattern: bits)) * display.white)
      #expect((Double(table.table[Int(bits)]) / exact - 1).magnitude < 0x1p-23)
      #expect((Double(scaled.table[Int(bits)]) / exact - 0.75).magnitude < 0x1p-22)
    }
  }

  /// Not above zero: as the smallest half; infinity and what is not a number: as the largest.
  @Test func outside() {
    let table = GainTable.overHalves(scale: 4) { 1 / $0 }.table
    #expect(table[0] == 0x1p25 * 4 && table[1] == 0x1p24 * 4)
    #expect(table[0x7c00] == table[0x7bff] && table[0x7fff] == 4 / 65504)
    let unit = GainTable.overUnit { 1 / $0 }.table
    #expect(unit[32767] == 1 && unit[1] == 32767 && unit[0] == 65534)
  }
}

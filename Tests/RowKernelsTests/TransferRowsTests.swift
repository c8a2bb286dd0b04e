import ColorScience
import SIMDShims
import Testing

import Rendering

/// Kernels between code values and linear light, with PQ, HLG and a power.
@Suite struct TransferRowsTests {
  static let transfers: [SignalTransfer] = [.pq(unit: 203), .hlg, .bt1886(peak: 1), .sRGB(peak: 1)]

  /// Largest errors in ten-bit codes, a little above what was measured: 0.23, 0.11, 0.15 and 0.70 to light, at the
  /// darkest codes and with the rounding to half float; 0.056, 0.104, 0.040 and 0.009 back, in AVX2, whose polynomials
  /// have half the pieces.
  static func bounds(_ transfer: SignalTransfer) -> (toLight: Double, toSignal: Double) {
    switch transfer {
    case .pq: (0.24, 0.058)
    case .hlg: (0.19, 0.11)
    case .power, .bt1886Black, .linear: (0.16, 0.085)
    case .sRGB: (0.72, 0.01)
    }
  }

  /// Ten-bit narrow R'G'B' by `linearizeComponent`, BT.2020 Y'CbCr by `linearizeYCbCr`.
  @Test(arguments: KernelTier.supported, transfers)
  func linearize(_ tier: KernelTier, _ transfer: SignalTransfer) {
    let polynomial = PiecewisePolynomial.light(of: transfer, for: tier)
    let (codes, matrix) = (SampleScale(bitDepth: 10, range: .narrow), YCbCrMatrix.bt2020)
    let gain = polynomial.scale / codes.lumaScale
    let black = polynomial.offset - gain * codes.lumaOffset
    let (cb, cr) = (matrix.rgb(fromYCbCr: SIMD3(0, 1, 0)), matrix.rgb(fromYCbCr: SIMD3(0, 0, 1)))
    let unit = polynomial.scale / codes.chromaScale
    let zero = unit * codes.chromaOffset
    let p = unsafe hr_linearization(
      luma_gain: Float(gain), red_from_cr: Float(cr.x * unit), green_from_cb: Float(cb.y * unit),
      green_from_cr: Float(cr.y * unit), blue_from_cb: Float(cb.z * unit), red_offset: Float(black - cr.x * zero),
      green_offset: Float(black - (cb.y + cr.y) * zero), blue_offset: Float(black - cb.z * zero),
      lowest: polynomial.lowest, highest: polynomial.highest, is_fourth_power: transfer.rootPower == 4 ? 1 : 0,
      polynomial: polynomial.parameters)
    defer { withExtendedLifetime(polynomial) {} }
    var component = unsafe p
    unsafe component.red_offset = Float(black)
    var largest = 0.0
    for width in widths {
      let planes = (0..<3).map { salt in (0..<width).map { UInt16(scrambled($0, salt) & 1023) } }
      let inputs = planes.map { InputRow($0) }
      let rows = (0..<3).map { _ in OutputRow<Float16>.scratch(width) }
      let light = unsafe hr_light_rows(red: rows[0].base, green: rows[1].base, blue: rows[2].base)
      unsafe withUnsafePointer(to: p) {
        unsafe tier.kernels.linearize_ycbcr($0, inputs[0].base, inputs[1].base, inputs[2].base, light, width)
      }
      let rgb = (0..<width).map { x in
        matrix.rgb(
          fromYCbCr: SIMD3(
            codes.luma(fromCode: Int(planes[0][x])), codes.chroma(fromCode: Int(planes[1][x])),
            codes.chroma(fromCode: Int(planes[2][x]))))
      }
      for k in 0..<3 { largest = max(largest, error(rows[k], rgb.map { $0[k] }, transfer)) }
      let target = OutputRow<Float16>.scratch(width)
      unsafe withUnsafePointer(to: component) {
        unsafe tier.kernels.linearize_component($0, inputs[1].base, target.base, width)
      }
      largest = max(largest, error(target, planes[1].map { codes.luma(fromCode: Int($0)) }, transfer))
      #expect((rows + [target]).allSatisfy { $0.isIntact }, "width \(width)")
    }
    #expect(largest < Self.bounds(transfer).toLight)
  }

  /// The largest distance in ten-bit codes between signals and those of the light that a kernel made of them.
  private func error(_ row: OutputRow<Float16>, _ signals: [Double], _ transfer: SignalTransfer) -> Double {
    signals.indices.reduce(0) { largest, x in
      let signal = transfer.signal(fromLight: Double(row[x]))
      return max(largest, (signal - min(max(signals[x], 0), 1)).magnitude * 876)
    }
  }

  @Test(arguments: KernelTier.supported, transfers)
  func signal(_ tier: KernelTier, _ transfer: SignalTransfer) {
    let polynomial = PiecewisePolynomial.signal(of: transfer, for: tier)
    let matrix = YCbCrMatrix.bt709
    // Dark light is rare among roots; a power brings some.
    let power = 4 / transfer.rootPower
    var largest = 0.0
    let p = unsafe hr_signal(
      gain: Float(polynomial.scale), offset: Float(polynomial.offset),
      polynomial: polynomial.parameters, kr: Float(matrix.kr), kg: Float(matrix.kg), kb: Float(matrix.kb))
    defer { withExtendedLifetime(polynomial) {} }
    for width in widths {
      let rows = (0..<3).map { _ in OutputRow<Float>.scratch(width) }
      for (k, row) in rows.enumerated() {
        for x in 0..<width { row[x] = Float(raise(Double(scrambledUnit(x, k)), power)) }
      }
      let light = unsafe hr_float_rows(first: rows[0].base, second: rows[1].base, third: rows[2].base)
      let result = (0..<3).map { _ in OutputRow<Float>.scratch(width) }
      let target = unsafe hr_float_rows(first: result[0].base, second: result[1].base, third: result[2].base)
      unsafe withUnsafePointer(to: p) { unsafe tier.kernels.signal($0, light, target, width) }
      for x in 0..<width {
        let signal = rows.map { transfer.signal(fromLight: raise(Double($0[x]), transfer.rootPower) * transfer.peak) }
        let luma = matrix.ycbcr(fromRGB: SIMD3(signal[0], signal[1], signal[2])).x
        for (k, expected) in [luma, signal[2] - luma, signal[0] - luma].enumerated() {
          let error = (Double(result[k][x]) - expected).magnitude * 876
          largest = error <= largest ? largest : error
        }
      }
      #expect(result.allSatisfy { $0.isIntact } && rows.allSatisfy { $0.isIntact }, "width \(width)")
    }
    #expect(largest < Self.bounds(transfer).toSignal)
  }
}

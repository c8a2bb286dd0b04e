import SIMDShims
import Testing

import Rendering

@Suite struct ResampleRowsTests {
  /// Sums of a few products of values up to 1, in any order.
  static let tolerance = 1e-6

  @Test(arguments: KernelTier.supported)
  func weighRows(_ tier: KernelTier) {
    for (width, rows) in widths.flatMap({ width in [1, 2, 3, 7, 40].map { (width, $0) } }) {
      let stride = (width + 31) / 32 * 32 + 64
      let source = OutputRow<Float16>(count: rows * stride)
      for index in 0..<rows * stride { source[index] = Float16(scrambledUnit(index, rows)) - 0.5 }
      let weights = (0..<rows).map { (scrambledUnit($0, 3) + 0.1) / Float(rows) }
      let target = OutputRow<Float>(count: width, before: 32, after: 32 + (width + 31) / 32 * 32 - width)
      withExtendedLifetime(source) {
        unsafe tier.kernels.weigh_rows(source.base, stride, weights, rows, target.base, width)
      }
      let wrong = (0..<width).filter { x in
        let expected = (0..<rows).reduce(0.0) { $0 + Double(source[$1 * stride + x]) * Double(weights[$1]) }
        return !((Double(target[x]) - expected).magnitude <= Self.tolerance)
      }
      #expect(wrong.isEmpty && target.isIntact, "width \(width), \(rows) rows")
    }
  }

  /// What a filter or a file left that is not finite ends here.
  @Test(arguments: KernelTier.supported)
  func sumsAreFinite(_ tier: KernelTier) {
    let source = OutputRow<Float16>(count: 256)
    for index in 0..<256 { source[index] = 1 }
    for (x, value) in [Float16.infinity, -.infinity, .nan, 65504, -65504].enumerated() { source[x] = value }
    source[64 + 5] = .infinity
    source[128 + 5] = -.infinity
    let target = OutputRow<Float>.scratch(32)
    withExtendedLifetime(source) {
      unsafe tier.kernels.weigh_rows(source.base, 64, [0.5, 0.25, 0.25], 3, target.base, 32)
    }
    #expect(target.elements.prefix(7) == [65504, -65504, 0, 32752.5, -32751.5, 0, 1])
  }

  @Test(arguments: KernelTier.supported, [4, 8, 40])
  func resample(_ tier: KernelTier, _ taps: Int) {
    for (count, width) in widths.flatMap({ count in [1, 5, 48, 333].map { (count, $0) } }) {
      let vectors = (count + 15) / 16
      let source = OutputRow<Float>(count: width, before: 32, after: 64)
      for x in 0..<width + 64 { source[x] = scrambledUnit(x, width) - 0.5 }
      let starts = (0..<16 * vectors).map { UInt32(scrambled($0, 9)) % UInt32(width) }
        .map { min($0, UInt32(max(width + 60 - taps, 0))) }
      let weights = (0..<16 * vectors * taps).map { scrambledUnit($0, 11) / Float(taps) }
      let target = OutputRow<Float16>.scratch(count)
      withExtendedLifetime(source) {
        unsafe starts.withUnsafeBufferPointer { starts in
          unsafe weights.withUnsafeBufferPointer { weights in
            let p = unsafe hr_resampling(starts: starts.baseAddress, weights: weights.baseAddress, taps: taps)
            unsafe tier.kernels.resample(p, source.base, target.base, count)
          }
        }
      }
      let wrong = (0..<count).filter { x in
        let expected = (0..<taps).reduce(0.0) { sum, tap in
          sum + Double(source[Int(starts[x]) + tap]) * Double(weights[(x / 16 * taps + tap) * 16 + x % 16])
        }
        return !((Double(target[x]) - expected).magnitude <= 0x1p-11 * expected.magnitude + Self.tolerance)
      }
      #expect(wrong.isEmpty && target.isIntact && source.isIntact, "\(width) to \(count), \(taps) taps")
    }
  }
}

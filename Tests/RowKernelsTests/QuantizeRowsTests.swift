import SIMDShims
import Testing

import Rendering

@Suite struct QuantizeRowsTests {
  /// Signals over and beyond the range, and what must not trap.
  static func signals(_ width: Int) -> [Float] {
    (0..<width).map { x in
      switch scrambled(x, width) % 31 {
      case 0: .nan
      case 1: .infinity
      case 2: -.infinity
      case 3: .greatestFiniteMagnitude
      default: scrambledUnit(x, 3) * 1.4 - 0.2
      }
    }
  }

  /// The obvious form; the sum is rounded to `Float` as the kernels' is.
  static func code(_ value: Float, _ gain: Float, _ offset: Float, _ highest: Float, _ threshold: Float) -> [Int] {
    let exact = Double(value) * Double(gain) + Double(threshold + offset)
    guard exact > 0 else { return [0] }
    let code = { (v: Double) in Int(min(v, Double(highest)).rounded(.down)) }
    // A sum this near to a whole number may fall on either side.
    let slack = 4 * Double(highest.ulp)
    return [code(exact - slack), code(exact + slack)]
  }

  static func mask(_ codes: Int) -> [Float] { (0..<64).map { codes > 255 ? 0.5 : (Float($0 * 37 % 64) + 0.5) / 64 } }

  @Test(arguments: KernelTier.supported)
  func eightBit(_ tier: KernelTier) { check(tier, gain: 219, offset: 16, highest: 254, UInt8.self) }

  @Test(arguments: KernelTier.supported)
  func tenBit(_ tier: KernelTier) { check(tier, gain: 876, offset: 64, highest: 1019, UInt16.self) }

  @Test(arguments: KernelTier.supported)
  func twelveBit(_ tier: KernelTier) { check(tier, gain: 4095, offset: 0, highest: 4095, UInt16.self) }

  private func check<Code: FixedWidthInteger & BitwiseCopyable>(
    _ tier: KernelTier, gain: Float, offset: Float, highest: Float, _ type: Code.Type
  ) {
    let mask = Self.mask(Int(highest))
    let thresholds = mask.map { $0 + offset }
    for width in widths {
      let values = Self.signals(width)
      let source = OutputRow<Float>.scratch(width)
      for (x, value) in values.enumerated() { source[x] = value }
      for misalignment in [0, 1, 3, 7, 13] {
        let target = OutputRow<Code>(count: width, misalignment: misalignment)
        unsafe thresholds.withUnsafeBufferPointer { thresholds in
          let p = unsafe hr_quantization(gain: gain, highest: highest, thresholds: thresholds.baseAddress)
          if let bytes = unsafe target.base as? UnsafeMutablePointer<UInt8> {
            unsafe tier.kernels.quantize8(p, source.base, bytes, width)
          } else if let words = unsafe target.base as? UnsafeMutablePointer<UInt16> {
            unsafe tier.kernels.quantize16(p, source.base, words, width)
          }
        }
        let wrong = values.indices.filter { x in
          !Self.code(values[x], gain, offset, highest, mask[x & 63]).contains(Int(target[x]))
        }
        #expect(wrong.isEmpty && target.isIntact, "width \(width)")
      }
    }
  }
}

import SIMDShims
import Testing

import Rendering

/// Integer kernels are compared exactly.
@Suite struct UnpackRowsTests {
  @Test(arguments: KernelTier.supported)
  func widen(_ tier: KernelTier) {
    for width in widths {
      let values = (0..<width).map { UInt8(truncatingIfNeeded: scrambled($0)) }
      let (source, target) = (InputRow(values), OutputRow<UInt16>.scratch(width))
      unsafe tier.kernels.widen(source.base, target.base, width)
      #expect(target.elements == values.map(UInt16.init) && target.isIntact, "width \(width)")
    }
  }

  @Test(arguments: KernelTier.supported, [0, 4, 6] as [UInt16])
  func split(_ tier: KernelTier, _ shift: UInt16) {
    for width in widths {
      let values = (0..<(2 * width)).map { UInt16(truncatingIfNeeded: scrambled($0)) }
      let source = InputRow(values)
      let (cb, cr) = (OutputRow<UInt16>.scratch(width), OutputRow<UInt16>.scratch(width))
      unsafe tier.kernels.split(source.base, Int32(shift), cb.base, cr.base, width)
      #expect(cb.elements == (0..<width).map { values[2 * $0] >> shift } && cb.isIntact, "width \(width)")
      #expect(cr.elements == (0..<width).map { values[2 * $0 + 1] >> shift } && cr.isIntact, "width \(width)")
    }
  }

  /// Weights in quarters of the samples before, at and after, for the even and the odd column.
  static let columns: [(even: [Int], odd: [Int])] = [
    ([1, 3, 0], [0, 3, 1]), ([0, 4, 0], [0, 2, 2]), ([0, 4, 0], [0, 4, 0]),
  ]

  @Test(arguments: KernelTier.supported, [0, 1, 2])
  func upsample(_ tier: KernelTier, _ siting: Int) {
    for (width, above) in widths.flatMap({ width in [4, 3, 2, 1].map { (width, $0) } }) {
      let rows = (0..<2).map { row in (0..<width).map { UInt16(scrambled($0, row) & 4095) } }
      let sources = rows.map { InputRow($0) }
      let target = OutputRow<UInt16>.scratch(2 * width, vector: 32)
      let source = unsafe hr_chroma_rows(
        above: sources[0].base, below: sources[1].base, weight_above: UInt16(above), weight_below: UInt16(4 - above))
      withExtendedLifetime(sources) {
        unsafe tier.kernels.upsample(source, Int32(siting), target.base, width)
      }
      let blended = (0..<width).map { Int(rows[0][$0]) * above + Int(rows[1][$0]) * (4 - above) }
      let (even, odd) = Self.columns[siting]
      let expected = (0..<width).flatMap { x -> [UInt16] in
        let neighbours = [blended[max(x - 1, 0)], blended[x], blended[min(x + 1, width - 1)]]
        return [even, odd].map { weights in UInt16(zip(neighbours, weights).reduce(0) { $0 + $1.0 * $1.1 }) }
      }
      #expect(target.elements == expected && target.isIntact, "width \(width)")
    }
  }
}

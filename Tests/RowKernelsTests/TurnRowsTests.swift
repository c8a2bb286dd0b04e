import SIMDShims
import Testing

import Rendering

@Suite struct TurnRowsTests {
  private func value(_ column: Int, _ row: Int) -> Float16 { Float16(column * 50 + row % 50) }

  @Test(arguments: KernelTier.supported)
  func reverse(_ tier: KernelTier) {
    for width in widths {
      let source = InputRow((0..<width).map { value($0, 0) })
      let target = OutputRow<Float16>(count: width)
      withExtendedLifetime(source) { unsafe tier.kernels.reverse(source.base, target.base, width) }
      #expect(target.elements == (0..<width).reversed().map { value($0, 0) } && target.isIntact, "width \(width)")
    }
  }

  /// Every direction of either side; nothing beyond the block is read or written.
  @Test(arguments: KernelTier.supported)
  func transpose(_ tier: KernelTier) {
    let extents = [(1, 1), (7, 9), (8, 8), (16, 24), (13, 40), (24, 5), (33, 66)]
    for (columns, rows) in extents {
      let source = InputRow((0..<rows).flatMap { row in (0..<columns).map { value($0, row) } })
      for (isUp, isReversed) in [(false, false), (true, false), (false, true), (true, true)] {
        let target = OutputRow<Float16>(count: columns * rows)
        withExtendedLifetime(source) {
          unsafe tier.kernels.transpose(
            source.base + (isUp ? (rows - 1) * columns : 0), isUp ? -columns : columns,
            target.base + (isReversed ? (columns - 1) * rows : 0), isReversed ? -rows : rows, columns, rows)
        }
        let expected = (0..<columns).flatMap { column in
          (0..<rows).map { value(isReversed ? columns - 1 - column : column, isUp ? rows - 1 - $0 : $0) }
        }
        #expect(target.elements == expected && target.isIntact, "\(columns)x\(rows)")
      }
    }
  }
}

import SIMDShims
import Testing

import Rendering

@Suite struct ReduceRowsTests {
  /// Chroma signals: a sum of nine is exact to this.
  static let tolerance = 1.5e-7
  /// Weights of rows for the sitings: one row, between two, on the middle of three, a quarter beside it.
  static let weights: [[Float]] = [[1], [0.5, 0.5], [0.25, 0.5, 0.25], [0.125, 0.5, 0.375], [0.375, 0.5, 0.125]]

  private func row(_ width: Int, _ salt: Int) -> OutputRow<Float> {
    // The margin is read and written by the kernels: what lies there must not count, but is never more than finite.
    let row = OutputRow<Float>(count: width, before: 32, after: 32 + (width + 31) / 32 * 32 - width)
    for x in -32..<(width + 32) { row[x] = 1e9 }
    for x in 0..<width { row[x] = scrambledUnit(x, salt) - 0.5 }
    return row
  }

  @Test(arguments: KernelTier.supported, [false, true])
  func reduce(_ tier: KernelTier, _ isCosited: Bool) {
    for (width, weights) in widths.flatMap({ width in Self.weights.map { (width, $0) } }) {
      let rows = (0..<3).map { row(width, $0) }
      let values = (0..<width).map { x in
        weights.indices.reduce(0) { $0 + Double(rows[$1][x]) * Double(weights[$1]) }
      }
      let at = { values[min(max($0, 0), width - 1)] }
      let expected = (0..<((width + 1) / 2)).map { x in
        isCosited ? (at(2 * x - 1) + 2 * at(2 * x) + at(2 * x + 1)) / 4 : (at(2 * x) + at(2 * x + 1)) / 2
      }
      let target = OutputRow<Float>.scratch(expected.count)
      let filter = unsafe hr_row_filter(
        first: rows[0].base, second: rows[1].base, third: rows[2].base, count: Int32(weights.count),
        lean: weights.count == 3 ? 0.25 - weights[0] : 0)
      withExtendedLifetime(rows) {
        unsafe tier.kernels.reduce(filter, isCosited ? 1 : 0, target.base, width)
      }
      let wrong = expected.indices.filter { !((Double(target[$0]) - expected[$0]).magnitude <= Self.tolerance) }
      #expect(wrong.isEmpty && target.isIntact && rows.allSatisfy { $0.isIntact }, "width \(width)")
    }
  }

  /// One row may be all three.
  @Test(arguments: KernelTier.supported)
  func sameRow(_ tier: KernelTier) {
    let (width, source, target) = (67, row(67, 5), OutputRow<Float>.scratch(34))
    let filter = unsafe hr_row_filter(
      first: source.base, second: source.base, third: source.base, count: 3, lean: 0)
    withExtendedLifetime(source) { unsafe tier.kernels.reduce(filter, 0, target.base, width) }
    for x in 0..<33 { #expect((target[x] - (source[2 * x] + source[2 * x + 1]) / 2).magnitude < 1e-7) }
    #expect((target[33] - source[66]).magnitude < 1e-7)
  }
}

import Testing

import Rendering

@Suite struct ChromaRowsTests {
  /// Chroma signals: a sum of three is exact to this.
  static let tolerance = 1e-7

  private func row(_ width: Int, _ salt: Int) -> OutputRow<Float> {
    // The margin is read and written by the kernels: what lies there must not count.
    let row = OutputRow<Float>(count: width, before: 32, after: 32 + (width + 31) / 32 * 32 - width)
    for x in -32..<(width + 32) { row[x] = .nan }
    for x in 0..<width { row[x] = scrambledUnit(x, salt) - 0.5 }
    return row
  }

  private func expect(_ target: OutputRow<Float>, _ expected: [Double], _ comment: Comment) {
    let wrong = expected.indices.filter { !((Double(target[$0]) - expected[$0]).magnitude <= Self.tolerance) }
    #expect(wrong.isEmpty && target.isIntact, comment)
  }

  @Test(arguments: KernelTier.supported)
  func average(_ tier: KernelTier) {
    for width in widths {
      let rows = (0..<3).map { row(width, $0) }
      let two = OutputRow<Float>.scratch(width)
      unsafe tier.average(rows[0].base, rows[1].base, to: two.base, count: width)
      expect(two, (0..<width).map { (Double(rows[0][$0]) + Double(rows[1][$0])) / 2 }, "width \(width)")
      let three = OutputRow<Float>.scratch(width)
      unsafe tier.average(rows[0].base, rows[1].base, rows[2].base, to: three.base, count: width)
      expect(
        three, (0..<width).map { (Double(rows[0][$0]) + 2 * Double(rows[1][$0]) + Double(rows[2][$0])) / 4 },
        "width \(width)")
    }
  }

  @Test(arguments: KernelTier.supported, [false, true])
  func halve(_ tier: KernelTier, _ isCosited: Bool) {
    for width in widths {
      let source = row(width, 5)
      let values = (0..<width).map { Double(source[$0]) }
      let at = { values[min(max($0, 0), width - 1)] }
      let expected = (0..<((width + 1) / 2)).map { x in
        isCosited ? (at(2 * x - 1) + 2 * at(2 * x) + at(2 * x + 1)) / 4 : (at(2 * x) + at(2 * x + 1)) / 2
      }
      let target = OutputRow<Float>.scratch(expected.count)
      unsafe tier.halve(source.base, isCosited: isCosited, to: target.base, count: width)
      expect(target, expected, "width \(width)")
      #expect(source.isIntact)
    }
  }
}

/// The light that one frame adds to another, in sums of R, G and B over the mean cell.
struct AddedLight {
  /// Light of the first frame.
  var ambient = 0.0
  /// Light of the second frame.
  var flash = 0.0
  /// Light gained in the second frame, over the cells that gain.
  var gain = 0.0
  /// Light lost in the second frame, over the other cells.
  var loss = 0.0
  /// The mean of the absolute difference.
  var difference: Double { gain + loss }

  init(from dark: FrameSummary, to lit: FrameSummary) {
    let count = Double(dark.light.count)
    for (before, after) in zip(dark.light, lit.light) {
      let (first, second) = (Double(before.sum()), Double(after.sum()))
      ambient += first / count
      flash += second / count
      if second > first { gain += (second - first) / count } else { loss += (first - second) / count }
    }
  }

  /// Returns the light gained by each row of the grid, relative to the sum of both frames' light in it: -1...1.
  static func rows(from dark: FrameSummary, to lit: FrameSummary) -> [Double] {
    func light(_ frame: FrameSummary, _ row: Int) -> Float {
      frame.light[row * FrameSummary.columns..<(row + 1) * FrameSummary.columns].reduce(0) { $0 + $1.sum() }
    }
    return (0..<FrameSummary.rows).map { row in
      let (first, second) = (light(dark, row), light(lit, row))
      return Double((second - first) / max(first + second, .leastNormalMagnitude))
    }
  }
}

internal import Frames

/// Round luminances in cd/m² by priority: a label that would touch an earlier one is omitted.
private let roundNits = [0, 10_000, 100, 1000, 10, 1, 0.1, 4000, 2000, 500, 50, 5, 0.01, 20]
/// Luminances with a grid line; fewer, to keep the plot uncluttered.
private let linedNits = [0.1, 1, 10, 100, 1000, 4000]

extension ScopeCanvas {
  /// Draws the grid lines of a vertical light axis across all `plots`.
  mutating func lightGrid(across plots: [PictureArea], axis: ScopeAxis, marks: [MarkLine]) {
    for plot in plots {
      for nits in linedNits {
        horizontal(at: axis.place(nits: nits), plot.x..<plot.maxX, ScopeStyle.grid)
      }
      for mark in marks {
        horizontal(
          at: axis.place(nits: mark.nits), plot.x..<plot.maxX, mark.color, style: mark.style, opacity: 0.55)
      }
    }
  }

  /// Draws the grid lines of a horizontal light axis down all `plots`.
  mutating func lightGrid(down plots: [PictureArea], axis: ScopeAxis, marks: [MarkLine]) {
    for plot in plots {
      for nits in linedNits { vertical(at: axis.place(nits: nits), plot.y..<plot.maxY, ScopeStyle.grid) }
      for mark in marks {
        vertical(at: axis.place(nits: mark.nits), plot.y..<plot.maxY, mark.color, style: mark.style, opacity: 0.55)
      }
    }
  }

  /// Numbers left of a plot with a vertical axis, ending at `x`.
  mutating func lightLabels(leftOf x: Double, axis: ScopeAxis) {
    let spacing = ScopeStyle.textHeight * scale
    var taken: [Double] = []
    for nits in roundNits {
      let y = axis.place(nits: nits)
      guard taken.allSatisfy({ abs($0 - y) >= spacing }) else { continue }
      taken.append(y)
      let end = Int(x) - hairline
      horizontal(at: y, (end - Int((4 * scale).rounded()))..<end, ScopeStyle.strongGrid)
      write(ScopeText.number(nits), x: x - 8 * scale, y: y, .trailing)
    }
  }

  /// Numbers below a plot with a horizontal axis, which ends at `y`.
  mutating func lightLabels(below y: Double, axis: ScopeAxis) {
    var taken: [ClosedRange<Double>] = []
    for nits in roundNits {
      let words = ScopeText.number(nits)
      let (x, half) = (axis.place(nits: nits), text.width(words) / 2)
      let range = (x - half)...(x + half + 6 * scale)
      guard !taken.contains(where: { $0.overlaps(range) }) else { continue }
      taken.append(range)
      let start = Int(y) + hairline
      vertical(at: x, start..<(start + Int((4 * scale).rounded())), ScopeStyle.strongGrid)
      write(words, x: x, y: y + 13 * scale, .centre)
    }
  }
}

internal import Frames

extension ScopeCanvas {
  /// Labels marks right of a plot with a vertical axis: each beside its line or as close as possible, connected to it,
  /// with long labels if they fit in `area`.
  mutating func markLabels(rightOf plot: PictureArea, axis: ScopeAxis, marks: [MarkLine], within area: PictureArea) {
    let places = marks.map { axis.place(nits: $0.nits) }
    let spread = Self.spread(
      places, apart: ScopeStyle.textHeight * scale, within: Double(plot.y)...Double(plot.maxY))
    for (mark, (place, label)) in zip(marks, zip(places, spread)) {
      let start = Double(plot.maxX)
      path(
        [
          SIMD2(start + 1.5 * scale, place), SIMD2(start + 4 * scale, place), SIMD2(start + 9 * scale, label),
        ], mark.color, within: PictureArea(size), opacity: 0.8)
      let left = start + 12 * scale
      let words = left + text.width(mark.words) <= Double(area.maxX) - 2 * scale ? mark.words : mark.figure
      write(words, x: left, y: label, color: mark.color)
    }
  }

  /// Returns positions from bottom to top, moved by the minimum that keeps them at least `distance` apart and in the
  /// range.
  static func spread(_ places: [Double], apart distance: Double, within range: ClosedRange<Double>) -> [Double] {
    // From the top down, so that crowded labels move towards the darker end, where there are no marks.
    var spread = places
    for index in spread.indices.reversed() {
      spread[index] = max(spread[index], range.lowerBound)
      if index + 1 < spread.count { spread[index] = max(spread[index], spread[index + 1] + distance) }
    }
    for index in spread.indices {
      let most = index == 0 ? range.upperBound : spread[index - 1] - distance
      spread[index] = min(spread[index], most)
    }
    return spread
  }

  /// Labels marks above a plot with a horizontal axis, as flags on poles that extend their lines: each in the lowest
  /// text row without overlaps, with long labels if all fit, otherwise as numbers.
  mutating func markFlags(
    above plot: PictureArea, axis: ScopeAxis, marks: [MarkLine], within area: PictureArea, lines: Int
  ) {
    let height = Double(ScopePlots.flagBand) * scale
    let inWords = flags(marks, \.words, axis: axis, within: area, lines: lines)
    let flags =
      inWords.count == marks.count ? inWords : flags(marks, \.figure, axis: axis, within: area, lines: lines)
    for flag in flags {
      let middle = Double(plot.y) - (Double(flag.line) + 0.5) * height
      // The pole ends below its flag if the flag extends across it.
      let top = flag.left > flag.pole ? middle - height * 0.35 : middle + height * 0.4
      vertical(at: flag.pole, Int(top.rounded())..<plot.y, flag.mark.color, opacity: 0.8)
      write(flag.words, x: flag.left, y: middle, color: flag.mark.color)
    }
  }

  private struct Flag {
    let mark: MarkLine
    let words: String
    let pole: Double
    let left: Double
    /// Text row, counted upwards from the plot.
    let line: Int
  }

  /// Returns the flags that fit.
  private func flags(
    _ marks: [MarkLine], _ words: KeyPath<MarkLine, String>, axis: ScopeAxis, within area: PictureArea, lines: Int
  ) -> [Flag] {
    var placed: [(flag: Flag, range: ClosedRange<Double>)] = []
    // From the right: the poles of later flags then mostly pass left of earlier ones.
    for mark in marks.reversed() {
      let (pole, words) = (axis.place(nits: mark.nits), mark[keyPath: words])
      let width = text.width(words)
      let left = min(pole + 4 * scale, Double(area.maxX) - width - 2 * scale)
      let range = min(left, pole)...(left + width + 6 * scale)
      let line = (0..<lines).first { line in
        placed.allSatisfy { other in
          if other.flag.line == line { return !other.range.overlaps(range) }
          return other.flag.line < line ? !other.range.contains(pole) : !range.contains(other.flag.pole)
        }
      }
      guard let line else { continue }
      placed.append((Flag(mark: mark, words: words, pole: pole, left: left, line: line), range))
    }
    return placed.map(\.flag)
  }
}

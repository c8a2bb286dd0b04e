internal import ColorScience
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
      let maximum = index == 0 ? range.upperBound : spread[index - 1] - distance
      spread[index] = min(spread[index], maximum)
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

/// Maps values to positions along a plot, in pixels.
struct ScopeAxis: Hashable {
  /// The value at the first position, and at the last.
  let first: Double
  let last: Double
  let start: Double
  let end: Double

  init(_ first: Double, _ last: Double, from start: Double, to end: Double) {
    (self.first, self.last, self.start, self.end) = (first, last, start, end)
  }

  /// Returns an axis of PQ signals. Each level of `ScopeCounts` has the same length, so signal 0 is half a level after
  /// the start, and 1 half a level before the end.
  static func levels(from start: Double, to end: Double) -> ScopeAxis {
    let highest = Double(ScopeCounts.levels - 1)
    return ScopeAxis(-0.5 / highest, (highest + 0.5) / highest, from: start, to: end)
  }

  func place(_ value: Double) -> Double { start + (value - first) / (last - first) * (end - start) }

  /// Returns the position of a luminance in cd/m² on an axis of PQ signals.
  func place(nits: Double) -> Double { place(PQ.inverseEOTF(nits)) }
}

/// A reference luminance with its labels.
struct MarkLine: Hashable {
  /// Luminance in cd/m².
  let nits: Double
  /// The long label, and the one for tight spaces.
  let words: String
  let figure: String
  let style: LineStyle
  let color: ScopeColor
}

extension ScopeMarks {
  /// The lines in ascending order; equal luminances share a line, invalid ones are omitted.
  var lines: [MarkLine] {
    var lines: [MarkLine] = []
    func add(
      _ nits: Double, _ name: String, _ style: LineStyle, ratio: String? = nil, color: ScopeColor = ScopeStyle.mark
    ) {
      guard nits.isFinite, nits > 0, nits <= 10_000 else { return }
      let number = ScopeText.number(nits, decimals: nits < 100 ? 1 : 0)
      let named = name.isEmpty ? number : "\(name) \(number)"
      let words = ratio.map { "\(named), \($0)" } ?? named
      lines.append(MarkLine(nits: nits, words: words, figure: ratio ?? number, style: style, color: color))
    }
    if sdrWhite == referenceWhite {
      add(sdrWhite, "SDR, HDR white", .solid)
    } else {
      add(sdrWhite, "SDR white", .dashed)
      add(referenceWhite, "HDR white", .solid)
    }
    if ![sdrWhite, referenceWhite, peak].contains(Self.thousand) { add(Self.thousand, "", .dotted) }
    if let peak, let headroom, ![sdrWhite, referenceWhite].contains(peak) {
      add(peak, "peak", .solid, ratio: ScopeText.ratio(headroom), color: ScopeStyle.peak)
    }
    return lines.sorted { $0.nits < $1.nits }
  }
}

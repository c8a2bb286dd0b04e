internal import Frames

/// A scope in the picture: its static background, and the trace of each frame's counts.
protocol ScopePlot: Sendable {
  /// Draws the graticule and labels.
  func drawGround(on canvas: inout ScopeCanvas)

  /// Draws the counts, if there are any.
  @unsafe func paint(_ counts: ScopeCounts, on target: TraceTarget)
}

extension ScopeCanvas {
  /// Writes the title and subtitle of a scope.
  mutating func title(_ name: String, _ words: String, in area: PictureArea) {
    let (x, y) = (
      Double(area.x) + ScopeStyle.titleIndent * scale, Double(area.y) + ScopeStyle.titleMiddle * scale
    )
    write(name, x: x, y: y, points: ScopeStyle.titleHeight, color: ScopeStyle.title)
    let width = text.width(name, points: ScopeStyle.titleHeight)
    let left = x + width + 10 * scale
    guard left + text.width(words) <= Double(area.maxX) else { return }
    write(words, x: left, y: y)
  }
}

/// A waveform or a parade: levels over the columns of the picture.
///
/// The axis is in PQ signals: every level of `ScopeCounts` has the same height.
struct LevelPlot: ScopePlot {
  private let place: ScopePlace
  private let marks: [MarkLine]
  private let axis: ScopeAxis
  private let traces: [LevelTrace]

  init(_ place: ScopePlace, marks: [MarkLine]) {
    (self.place, self.marks) = (place, marks)
    let box = place.plots[0]
    axis = .levels(from: Double(box.maxY), to: Double(box.y))
    let colors = place.kind == .parade ? ScopeStyle.components : [ScopeStyle.luminance]
    traces = zip(place.plots, colors).map { LevelTrace(box: $0, color: $1) }
  }

  func drawGround(on canvas: inout ScopeCanvas) {
    let (scale, plots) = (canvas.scale, place.plots)
    if place.kind == .parade {
      canvas.title("Parade", "R, G, B in cd/m²", in: place.area)
    } else {
      canvas.title("Waveform", "luminance in cd/m²", in: place.area)
    }
    for plot in plots { canvas.frame(plot) }
    canvas.lightGrid(across: plots, axis: axis, marks: marks)
    canvas.lightLabels(leftOf: Double(plots[0].x), axis: axis)
    canvas.markLabels(rightOf: plots[plots.count - 1], axis: axis, marks: marks, within: place.area)
    guard place.kind == .parade else { return }
    for (index, plot) in plots.enumerated() {
      canvas.write(
        ScopeStyle.componentNames[index], x: Double(plot.x) + Double(plot.width) / 2,
        y: Double(plot.maxY) + 13 * scale, .centre, points: ScopeStyle.titleHeight,
        color: ScopeStyle.components[index])
    }
  }

  func paint(_ counts: ScopeCounts, on target: TraceTarget) {
    let levels = place.kind == .parade ? [counts.red, counts.green, counts.blue] : [counts.luminance]
    for (trace, levels) in zip(traces, levels)
    where !levels.isEmpty && levels.count == counts.columns * ScopeCounts.levels {
      unsafe trace.paint(levels, columns: counts.columns, of: counts.size, on: target)
    }
  }
}

/// Histograms of R, G, B and luminance over an axis of PQ signals.
///
/// Heights are square roots, so that small counts are visible. The highest peak of the four curves fills its strip;
/// black and the largest code are excluded from this, so that bars around a picture do not flatten the curves.
struct HistogramPlot: ScopePlot {
  private let place: ScopePlace
  private let marks: [MarkLine]
  private let axis: ScopeAxis
  private let traces: [HistogramTrace]

  private static let colors = ScopeStyle.components + [ScopeStyle.luminance]
  private static let names = ScopeStyle.componentNames + ["Y"]

  init(_ place: ScopePlace, marks: [MarkLine], lineWidth: Int) {
    (self.place, self.marks) = (place, marks)
    let box = place.plots[0]
    axis = .levels(from: Double(box.x), to: Double(box.maxX))
    traces = zip(place.plots, Self.colors).map { HistogramTrace(box: $0, color: $1, lineWidth: lineWidth) }
  }

  func drawGround(on canvas: inout ScopeCanvas) {
    let (scale, plots) = (canvas.scale, place.plots)
    canvas.title("Histogram", "√ pixels over cd/m²", in: place.area)
    for plot in plots { canvas.frame(plot) }
    canvas.lightGrid(down: plots, axis: axis, marks: marks)
    canvas.markFlags(above: plots[0], axis: axis, marks: marks, within: place.area, lines: 2)
    canvas.lightLabels(below: Double(plots[plots.count - 1].maxY), axis: axis)
    for (index, plot) in plots.enumerated() {
      canvas.write(
        Self.names[index], x: Double(plot.x) - 8 * scale, y: Double(plot.y) + Double(plot.height) / 2, .trailing,
        points: ScopeStyle.titleHeight, color: Self.colors[index])
    }
  }

  func paint(_ counts: ScopeCounts, on target: TraceTarget) {
    let totals = [counts.red, counts.green, counts.blue, counts.luminance].map(LevelTotals.init)
    let peak = totals.map(\.peak).max() ?? 0
    for (trace, totals) in zip(traces, totals) { unsafe trace.paint(totals, peak: peak, on: target) }
  }
}

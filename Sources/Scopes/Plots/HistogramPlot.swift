internal import Frames

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
    self.place = place
    self.marks = marks
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

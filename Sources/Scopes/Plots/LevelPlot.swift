internal import ColorScience
internal import Frames

/// A waveform or a parade: levels over the columns of the picture.
///
/// The axis is in PQ signals: every level of `ScopeCounts` has the same height.
struct LevelPlot: ScopePlot {
  private let place: ScopePlace
  private let marks: [MarkLine]
  private let axis: ScopeAxis
  private let traces: [LevelTrace]

  init(_ place: ScopePlace, marks: [MarkLine]) {
    self.place = place
    self.marks = marks
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

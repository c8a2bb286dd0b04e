/// Two axes with grid lines and labels.
package struct PlotFrame: Sendable {
  /// The horizontal axis, from left to right.
  package let x: PlotAxis
  /// The vertical axis, from bottom to top.
  package let y: PlotAxis

  /// Creates a frame from two axes.
  package init(x: PlotAxis, y: PlotAxis) {
    self.x = x
    self.y = y
  }

  /// Returns the grid lines behind the plot, with their numbers; empty frames and titles are omitted.
  package func axes(
    x xTitle: String, y yTitle: String, xLabel: (Double) -> String = PlotAxis.label,
    yLabel: (Double) -> String = PlotAxis.label, showsNumbersBelow: Bool = true
  ) -> [Markup] {
    var result: [Markup] = []
    for tick in x.ticks {
      let place = x.place(tick)
      result.append(Drawing.line("grid", SIMD2(place, y.from), SIMD2(place, y.to)))
      if showsNumbersBelow {
        result.append(Drawing.text("number", SIMD2(place, y.from + 17), xLabel(tick), .middle))
      }
    }
    for tick in y.ticks {
      let place = y.place(tick)
      result.append(Drawing.line("grid", SIMD2(x.from, place), SIMD2(x.to, place)))
      result.append(Drawing.text("number", SIMD2(x.from - 7, place + 4), yLabel(tick), .end))
    }
    result.append(Drawing.rectangle("frame", SIMD2(x.from, y.from), SIMD2(x.to, y.to)))
    if !xTitle.isEmpty {
      result.append(Drawing.text("axis", SIMD2((x.from + x.to) / 2, y.from + 38), xTitle, .middle))
    }
    if !yTitle.isEmpty { result.append(Drawing.upwards("axis", SIMD2(14, (y.from + y.to) / 2), yTitle)) }
    return result
  }

  /// Returns the point of a pair of values.
  package func place(_ horizontal: Double, _ vertical: Double) -> SIMD2<Double> {
    SIMD2(x.place(horizontal), y.place(vertical))
  }
}

/// A plot in a page, with a title and a description for screen readers.
package struct Plot: Sendable {
  /// A name, unique on the page.
  package let name: String
  /// The title above the plot.
  package let title: String
  /// A description for screen readers.
  package let description: String
  /// Width in drawing units.
  package let width: Double
  /// Height in drawing units.
  package let height: Double
  /// The shapes.
  package let content: [Markup]

  /// Creates a plot.
  package init(
    name: String, title: String, description: String, width: Double, height: Double, content: [Markup]
  ) {
    self.name = name
    self.title = title
    self.description = description
    self.width = width
    self.height = height
    self.content = content
  }

  /// The plot as SVG.
  package var markup: Markup {
    let head = [
      Markup("title", ["id": "\(name)-title"], title), Markup("desc", ["id": "\(name)-description"], description),
    ]
    return Markup(
      "svg",
      [
        "viewBox": "0 0 \(Drawing.number(width)) \(Drawing.number(height))", "role": "img",
        "aria-labelledby": "\(name)-title \(name)-description",
      ], head + content)
  }
}

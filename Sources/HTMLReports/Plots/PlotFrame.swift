/// Two axes with their lines and words.
package struct PlotFrame: Sendable {
  /// From left to right.
  package let x: PlotAxis
  /// From the bottom to the top.
  package let y: PlotAxis

  /// A frame of two axes.
  package init(x: PlotAxis, y: PlotAxis) {
    self.x = x
    self.y = y
  }

  /// Lines of the axes' values behind the plot, with their numbers; frame and titles are left out where empty.
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

  /// The place of a pair of values.
  package func place(_ horizontal: Double, _ vertical: Double) -> SIMD2<Double> {
    SIMD2(x.place(horizontal), y.place(vertical))
  }
}

/// A plot as a picture of the page, with a title and a description for those who do not see it.
package struct Plot: Sendable {
  /// Distinct on the page.
  package let name: String
  /// Above the plot.
  package let title: String
  /// What it shows, for those who do not see it.
  package let description: String
  /// Of the drawing, in its own units.
  package let width: Double
  /// Of the drawing, in its own units.
  package let height: Double
  /// What is drawn.
  package let content: [Markup]

  /// A drawing of a size.
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

  /// The drawing as SVG.
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

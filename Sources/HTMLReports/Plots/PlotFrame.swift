package import Foundation

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

/// A plot axis: maps values to coordinates.
package struct PlotAxis: Sendable {
  /// The spacing of values.
  package enum Scale: Sendable {
    case linear, logarithmic
  }

  /// The spacing of values.
  package let scale: Scale
  /// First and last value; above 0 for a logarithmic scale.
  package let domain: ClosedRange<Double>
  /// The coordinate of the first value.
  package let from: Double
  /// The coordinate of the last value.
  package let to: Double

  /// The minimum step between grid lines of a linear axis: 1 for counts.
  package let minimumStep: Double

  /// Creates an axis, linear by default.
  package init(
    _ scale: Scale = .linear, _ domain: ClosedRange<Double>, from: Double, to: Double, minimumStep: Double = 0
  ) {
    precondition(domain.lowerBound < domain.upperBound && (scale == .linear || domain.lowerBound > 0))
    self.scale = scale
    self.domain = domain
    self.from = from
    self.to = to
    self.minimumStep = minimumStep
  }

  /// Returns the coordinate of a value; values outside the domain, and NaN, are clamped to the nearer end.
  package func place(_ value: Double) -> Double {
    let value = value.isNaN ? domain.lowerBound : min(max(value, domain.lowerBound), domain.upperBound)
    let part =
      switch scale {
      case .linear: (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
      case .logarithmic: log(value / domain.lowerBound) / log(domain.upperBound / domain.lowerBound)
      }
    return from + part * (to - from)
  }

  /// Values with a grid line: round numbers, at most about eight; powers of ten on a logarithmic scale.
  package var ticks: [Double] {
    switch scale {
    case .linear:
      let step = max(Self.round((domain.upperBound - domain.lowerBound) / 8), minimumStep)
      let first = (domain.lowerBound / step - 1e-9).rounded(.up)
      let count = ((domain.upperBound / step + 1e-9).rounded(.down) - first).rounded()
      return (0...Int(min(max(count, 0), 20))).map { (first + Double($0)) * step }
    case .logarithmic:
      let powers = stride(from: -12.0, through: 12, by: 1).map { pow(10, $0) }
      let decades = powers.filter { $0 >= domain.lowerBound * 0.999 && $0 <= domain.upperBound * 1.001 }
      return decades
    }
  }

  /// Rounds up to 1, 2 or 5 times a power of ten.
  package static func round(_ value: Double) -> Double {
    guard value.isFinite, value > 0 else { return 1 }
    let unit = pow(10, log10(value).rounded(.down))
    return ([1, 2, 5].first { $0 * unit >= value * 0.999_999 } ?? 10) * unit
  }

  /// Formats a value: "0.001", "10,000".
  package static func label(_ value: Double) -> String {
    guard abs(value) > 1e-12 else { return "0" }
    let text = String(format: "%.10g", value)
    guard abs(value) >= 10_000, abs(value) < 1e10, !text.contains(where: { $0 == "." || $0 == "e" }) else {
      return text.replacingOccurrences(of: "-", with: "−")
    }
    let digits = Array(text)
    return String(
      digits.enumerated().flatMap { index, digit in
        let left = digits.count - index
        return left % 3 == 0 && index > 0 && digits[index - 1] != "-" ? [",", digit] : [digit]
      })
  }
}

/// SVG shapes; the page's style defines their appearance by class.
package enum Drawing {
  /// Formats a length or coordinate, to a hundredth.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let text = String(format: "%.2f", min(max(value, -1e6), 1e6))
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
  }

  /// Returns a straight line.
  package static func line(_ kind: String, _ from: SIMD2<Double>, _ to: SIMD2<Double>) -> Markup {
    Markup(
      "line", ["class": kind, "x1": number(from.x), "y1": number(from.y), "x2": number(to.x), "y2": number(to.y)])
  }

  /// Returns a rectangle between two opposite corners.
  package static func rectangle(
    _ kind: String, _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ children: [Markup] = []
  ) -> Markup {
    Markup(
      "rect",
      [
        "class": kind, "x": number(min(from.x, to.x)), "y": number(min(from.y, to.y)),
        "width": number(abs(to.x - from.x)), "height": number(abs(to.y - from.y)),
      ], children)
  }

  /// Returns a polyline through points; interrupted at nil.
  package static func path(_ kind: String, _ places: [SIMD2<Double>?], isClosed: Bool = false) -> Markup {
    var text = ""
    var isBroken = true
    for place in places {
      if let place { text += "\(isBroken ? "M" : "L")\(number(place.x)) \(number(place.y))" }
      isBroken = place == nil
    }
    return Markup("path", ["class": kind, "d": text + (isClosed ? "Z" : "")])
  }

  /// The part of a text at its position.
  package enum Anchor: String {
    case start, middle, end
  }

  package static func text(_ kind: String, _ place: SIMD2<Double>, _ text: String, _ anchor: Anchor = .start) -> Markup
  {
    Markup(
      "text", ["class": kind, "x": number(place.x), "y": number(place.y), "text-anchor": anchor.rawValue], text)
  }

  /// Returns text that grows with the drawing.
  package static func text(_ kind: String, _ place: SIMD2<Double>, _ text: String, size: Double) -> Markup {
    Markup(
      "text",
      ["class": kind, "x": number(place.x), "y": number(place.y), "style": "font-size: \(number(size))px"], text)
  }

  /// Returns a picture that fills the drawing, on paper where it is missing.
  package static func picture(_ png: Data?, _ size: SIMD2<Double>) -> [Markup] {
    let paper = rectangle("paper", .zero, size)
    guard let png else { return [paper] }
    return [
      paper,
      Markup(
        "image",
        [
          "width": number(size.x), "height": number(size.y), "preserveAspectRatio": "none",
          "href": "data:image/png;base64," + png.base64EncodedString(),
        ]),
    ]
  }

  /// Returns text that runs from bottom to top.
  package static func upwards(_ kind: String, _ place: SIMD2<Double>, _ text: String) -> Markup {
    Markup(
      "text",
      [
        "class": kind, "text-anchor": "middle",
        "transform": "translate(\(number(place.x)) \(number(place.y))) rotate(-90)",
      ], text)
  }

  /// Returns a mark for a measured value: a disc, or a diamond if it fails, so that shape and colour both differ.
  package static func mark(_ place: SIMD2<Double>, passes: Bool, _ title: String) -> Markup {
    let title = Markup("title", [:], title)
    if passes {
      return Markup("circle", ["class": "pass", "cx": number(place.x), "cy": number(place.y), "r": "4"], [title])
    }
    let (x, y) = (place.x, place.y)
    let points = [(x, y - 6.5), (x + 6.5, y), (x, y + 6.5), (x - 6.5, y)]
    let text = points.map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
    return Markup("polygon", ["class": "fail", "points": text], [title])
  }

  /// Returns a mark for an intended value.
  package static func ring(_ place: SIMD2<Double>) -> Markup {
    Markup("circle", ["class": "intended", "cx": number(place.x), "cy": number(place.y), "r": "5.5"])
  }
}

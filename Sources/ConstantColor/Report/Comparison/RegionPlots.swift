internal import HTMLReports

/// Plots of a region's colours over the captures.
struct RegionPlots {
  /// A measured colour.
  struct Point {
    /// Number of the capture, from 1.
    var number: Int
    var lab: SIMD3<Double>
    var uncertainty: SIMD3<Double>?
    var isBelieved: Bool
    var isReference: Bool
  }

  let region: ColorComparison.Region
  let points: [Point]
  /// Index on the page, from 0.
  let index: Int

  static let size = SIMD2(560.0, 540.0)
  /// Number of points from which marks are small, and bars and lines are thinned out.
  private static let crowd = 40
  /// Minimum span of an axis in units of L*, a*, b*, so that small changes are not exaggerated.
  private static let minimumSpan = 4.0
  /// Larger uncertainties are cut off at the plot's edge.
  private static let maximumUncertainty = 20.0

  init(_ region: ColorComparison.Region, index: Int, reference: Int) {
    self.region = region
    self.index = index
    points = region.readings.enumerated().compactMap { capture, reading in
      guard let reading, let lab = reading.lab else { return nil }
      return Point(
        number: capture + 1, lab: lab, uncertainty: reading.uncertainty, isBelieved: reading.isBelieved,
        isReference: capture == reference)
    }
  }

  var isCrowded: Bool { points.count >= Self.crowd }

  /// The points, with trusted ones on top.
  var ordered: [Point] { points.filter { !$0.isBelieved } + points.filter(\.isBelieved) }

  /// Returns the range of a component, including its bars.
  func range(_ component: Int) -> ClosedRange<Double> {
    let ends = points.flatMap { point -> [Double] in
      let bar = min(point.uncertainty?[component] ?? 0, Self.maximumUncertainty)
      return [point.lab[component] - bar, point.lab[component] + bar]
    }
    return (ends.min() ?? 0)...(ends.max() ?? 0)
  }

  /// Returns ranges of equal length, centred on the data of some components, with margins.
  func domains(_ components: [Int]) -> [ClosedRange<Double>] {
    let ranges = components.map(range)
    let span = max(ranges.map { $0.upperBound - $0.lowerBound }.max() ?? 0, Self.minimumSpan) * 1.15
    return ranges.map { range in
      let middle = (range.lowerBound + range.upperBound) / 2
      return middle - span / 2...middle + span / 2
    }
  }

  /// Returns the tooltip of a point.
  func title(_ point: Point) -> String {
    let names = ["L*", "a*", "b*"]
    let values = (0..<3).map { "\(names[$0]) \(Figures.value(point.lab[$0], point.uncertainty?[$0]))" }
    return "\(point.number): \(values.joined(separator: ", "))" + (point.isBelieved ? "" : ", not believed")
  }

  /// Returns "from 53.10 to 54.02".
  func words(_ component: Int) -> String {
    let values = points.map { $0.lab[component] }
    return "from \(Figures.signedMinus(values.min() ?? 0, 2)) to \(Figures.signedMinus(values.max() ?? 0, 2))"
  }

  /// Returns the points, with a ring around the reference.
  func marks(_ place: (Point) -> SIMD2<Double>) -> [Markup] {
    let marks = ordered.map { Drawing.mark(place($0), passes: $0.isBelieved, title($0)) }
    return [Markup("g", isCrowded ? ["class": "crowd"] : [:], marks)]
      + ordered.filter(\.isReference).map { Drawing.ring(place($0)) }
  }

  /// Returns an error bar with caps.
  func bar(_ from: SIMD2<Double>, _ to: SIMD2<Double>, _ point: Point) -> Markup {
    let cap = from.x == to.x ? SIMD2(3.5, 0) : SIMD2(0, 3.5)
    let caps = isCrowded ? [] : [nil, from - cap, from + cap, nil, to - cap, to + cap]
    return Drawing.path(point.isBelieved ? "error" : "error doubted", [from, to] + caps)
  }

  /// Plots of L*, a*, b* over the captures, one below the other, to the same scale; nil if nothing was measured.
  var components: Plot? {
    guard !points.isEmpty else { return nil }
    let names = ["L*", "a*", "b*"]
    let bottoms = [156.0, 324, 492]
    let domains = domains([0, 1, 2])
    let content = (0..<3).flatMap { component in
      strip(component, domains[component], bottom: bottoms[component], name: names[component], isLast: component == 2)
    }
    return Plot(
      name: "components-\(index + 1)", title: "L*, a*, b*",
      description: "\(Figures.short(region.title)) over \(Figures.count(region.readings.count, "capture")): "
        + (0..<3).map { "\(names[$0]) \(words($0))" }.joined(separator: ", ") + ".",
      width: Self.size.x, height: Self.size.y, content: content)
  }

  private func strip(
    _ component: Int, _ domain: ClosedRange<Double>, bottom: Double, name: String, isLast: Bool
  ) -> [Markup] {
    let last = Double(max(region.readings.count, 1))
    let frame = PlotFrame(
      x: PlotAxis(.linear, 0.5...last + 0.5, from: 66, to: 530, minimumStep: 1),
      y: PlotAxis(.linear, domain, from: bottom, to: bottom - 144))
    var content = frame.axes(x: isLast ? "capture" : "", y: name, showsNumbersBelow: isLast)
    if let mean = region.statistics?.mean[component], points.count > 1 {
      content.append(Drawing.line("mean", frame.place(0.5, mean), frame.place(last + 0.5, mean)))
    }
    func place(_ point: Point, _ offset: Double = 0) -> SIMD2<Double> {
      frame.place(Double(point.number), point.lab[component] + offset)
    }
    content.append(Drawing.path("order", points.map { place($0) }))
    for point in ordered {
      if let uncertainty = point.uncertainty?[component] {
        content.append(bar(place(point, -uncertainty), place(point, uncertainty), point))
      }
    }
    return content + marks { place($0) }
  }

  /// Maximum number of numbered captures: more would clutter the plane.
  private static let maximumNumbers = 16

  /// A plot of b* over a*; nil if nothing was measured.
  var plane: Plot? {
    guard !points.isEmpty else { return nil }
    let domains = domains([1, 2])
    let frame = PlotFrame(
      x: PlotAxis(.linear, domains[0], from: 66, to: 546), y: PlotAxis(.linear, domains[1], from: 492, to: 12))
    var content = frame.axes(x: "a*", y: "b*")
    if domains[0].contains(0) {
      content.append(Drawing.line("base", frame.place(0, domains[1].lowerBound), frame.place(0, domains[1].upperBound)))
    }
    if domains[1].contains(0) {
      content.append(Drawing.line("base", frame.place(domains[0].lowerBound, 0), frame.place(domains[0].upperBound, 0)))
    }
    func place(_ point: Point, _ a: Double = 0, _ b: Double = 0) -> SIMD2<Double> {
      frame.place(point.lab.y + a, point.lab.z + b)
    }
    if !isCrowded { content.append(Drawing.path("order", points.map { place($0) })) }
    for point in ordered where !isCrowded {
      guard let uncertainty = point.uncertainty else { continue }
      content.append(bar(place(point, -uncertainty.y), place(point, uncertainty.y), point))
      content.append(bar(place(point, 0, -uncertainty.z), place(point, 0, uncertainty.z), point))
    }
    content += marks { place($0) }
    if points.count <= Self.maximumNumbers {
      content += points.map { Drawing.text("capture", place($0) + SIMD2(8, -8), "\($0.number)") }
    }
    return Plot(
      name: "plane-\(index + 1)", title: "a*b* plane",
      description: "\(Figures.short(region.title)) in the plane of a* and b*: a* \(words(1)), b* \(words(2)).",
      width: Self.size.x, height: Self.size.y, content: content)
  }
}

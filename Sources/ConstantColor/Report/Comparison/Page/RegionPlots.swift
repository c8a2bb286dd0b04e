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
  private static let leastSpan = 4.0
  /// Larger uncertainties are cut off at the plot's edge.
  private static let mostUncertainty = 20.0

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
      let bar = min(point.uncertainty?[component] ?? 0, Self.mostUncertainty)
      return [point.lab[component] - bar, point.lab[component] + bar]
    }
    return (ends.min() ?? 0)...(ends.max() ?? 0)
  }

  /// Returns ranges of equal length, centred on the data of some components, with margins.
  func domains(_ components: [Int]) -> [ClosedRange<Double>] {
    let ranges = components.map(range)
    let span = max(ranges.map { $0.upperBound - $0.lowerBound }.max() ?? 0, Self.leastSpan) * 1.15
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
}

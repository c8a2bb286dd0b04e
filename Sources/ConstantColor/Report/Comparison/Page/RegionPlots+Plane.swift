internal import HTMLReports

extension RegionPlots {
  /// Maximum number of numbered captures: more would clutter the plane.
  private static let mostNumbers = 16

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
    if points.count <= Self.mostNumbers {
      content += points.map { Drawing.text("capture", place($0) + SIMD2(8, -8), "\($0.number)") }
    }
    return Plot(
      name: "plane-\(index + 1)", title: "a*b* plane",
      description: "\(Figures.short(region.title)) in the plane of a* and b*: a* \(words(1)), b* \(words(2)).",
      width: Self.size.x, height: Self.size.y, content: content)
  }
}

internal import HTMLReports

extension RegionPlots {
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
}

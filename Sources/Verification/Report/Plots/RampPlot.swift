internal import ColorScience
internal import HTMLReports
internal import Patterns

/// Deviation along a ramp.
struct RampPlot {
  let ramp: RampResult
  /// Unique on the page.
  let name: String
  /// Code values from the centre to the ends of the axis.
  let limit: Double
  let codes: SampleScale

  private static let size = SIMD2(490.0, 210.0)
  private static let maximumPoints = 512
  /// Maximum number of plotted ramps.
  private static let maximumRamps = 24

  /// Returns plots of all measured ramps, to the same scale.
  static func all(_ verification: Verification) -> [RampPlot] {
    let codes = verification.codes
    let ramps = verification.ramps.prefix(maximumRamps).filter { ramp in
      ramp.points.contains { $0.position.isFinite && ramp.error($0, codes).isFinite }
    }
    let worst = ramps.flatMap { ramp in ramp.points.map { abs(ramp.error($0, codes)) } }.filter(\.isFinite).max() ?? 0
    let limit = PlotAxis.round(min(max(worst, 2), Double(codes.maxCode)))
    return ramps.enumerated().map { RampPlot(ramp: $1, name: "ramp-\($0 + 1)", limit: limit, codes: codes) }
  }

  var plot: Plot {
    let frame = PlotFrame(
      x: PlotAxis(.linear, 0...100, from: 58, to: 472), y: PlotAxis(.linear, -limit...limit, from: 162, to: 12))
    var content = frame.axes(
      x: "along the ramp, %", y: "error, codes", yLabel: { ($0 > 0 ? "+" : "") + PlotAxis.label($0) })
    content.append(Drawing.rectangle("band", frame.place(0, -1), frame.place(100, 1)))
    content.append(Drawing.path("ideal", [frame.place(0, 0), frame.place(100, 0)]))
    let places = ramp.points(most: Self.maximumPoints).map { point -> SIMD2<Double>? in
      let error = ramp.error(point, codes)
      guard error.isFinite, point.position.isFinite else { return nil }
      return frame.place(point.position * 100, error)
    }
    content.append(Drawing.path(ramp.passes ? "trace" : "trace off", places))
    let worst = ramp.points.map { abs(ramp.error($0, codes)) }.filter(\.isFinite).max() ?? 0
    return Plot(
      name: name, title: ramp.name.visible.shortened(to: 80),
      description: "Error of the ramp in code values of \(codes.bitDepth) bit, at most \(Figures.fixed(worst, 1)).",
      width: Self.size.x, height: Self.size.y, content: content)
  }
}

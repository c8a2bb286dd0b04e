internal import ColorScience
internal import Foundation
internal import HTMLReports
internal import Patterns

/// ΔE ITP of each patch, in the order of the table, by group.
struct DifferencePlot {
  private let verification: Verification
  private let frame: PlotFrame
  private let isLogarithmic: Bool

  private static let size = SIMD2(1000.0, 300.0)
  /// Start of the logarithmic axis, in ΔE ITP.
  private static let axisStart = 0.1
  /// Maximum number of labelled failing patches.
  private static let maximumNumbers = 40

  /// - Returns: nil if no patch was measured.
  init?(_ verification: Verification) {
    let differences = verification.patches.compactMap { $0.measured?.deltaE }.filter { $0.isFinite }
    guard let worst = differences.max() else { return nil }
    self.verification = verification
    let tolerance = Self.tolerance(of: verification) ?? 1
    // With large outliers, a linear axis would hide the other values.
    isLogarithmic = worst > 20 * tolerance && tolerance > Self.axisStart
    let top = PlotAxis.round(min(max(worst, tolerance * 1.2) * 1.1, 1e6))
    frame = PlotFrame(
      x: PlotAxis(.linear, 0...Double(max(verification.patches.count, 1)), from: 52, to: 914),
      y: isLogarithmic
        ? PlotAxis(.logarithmic, Self.axisStart...top, from: 246, to: 20)
        : PlotAxis(.linear, 0...top, from: 246, to: 20))
  }

  private static func tolerance(of verification: Verification) -> Double? {
    let tolerance = verification.tolerance.deltaE
    return tolerance.isFinite && tolerance > 0 ? min(tolerance, 1e5) : nil
  }

  var plot: Plot {
    let failing = verification.patches.count { !$0.passes }
    return Plot(
      name: "difference", title: "ΔE ITP of each patch",
      description: "A bar for each of \(verification.patches.count) patches with a line at the tolerance of "
        + "\(Figures.fixed(verification.tolerance.deltaE, 2)); \(failing) fail.",
      width: Self.size.x, height: Self.size.y, content: axes + bars + toleranceLine)
  }

  private var axes: [Markup] {
    var content: [Markup] = []
    for tick in frame.y.ticks {
      let y = frame.y.place(tick)
      content.append(Drawing.line("grid", SIMD2(frame.x.from, y), SIMD2(frame.x.to, y)))
      content.append(Drawing.text("number", SIMD2(frame.x.from - 7, y + 4), PlotAxis.label(tick), .end))
    }
    content.append(Drawing.line("base", SIMD2(frame.x.from, frame.y.from), SIMD2(frame.x.to, frame.y.from)))
    content.append(Drawing.upwards("axis", SIMD2(14, (frame.y.from + frame.y.to) / 2), "ΔE ITP"))
    var first = 0
    for group in verification.groups {
      let (left, right) = (frame.x.place(Double(first)), frame.x.place(Double(first + group.patches.count)))
      let y = frame.y.from + 9
      content.append(Drawing.line("base", SIMD2(left + 1, y), SIMD2(max(right - 1, left + 2), y)))
      let characters = Int((right - left) / 7)
      if characters >= 4 {
        let name = group.name.visible.shortened(to: characters)
        content.append(Drawing.text("axis", SIMD2((left + right) / 2, y + 18), name, .middle))
      }
      first += group.patches.count
    }
    return content
  }

  private var bars: [Markup] {
    var content: [Markup] = []
    var numbers: [Markup] = []
    let patches = verification.groups.flatMap(\.patches)
    let width = (frame.x.to - frame.x.from) / Double(max(patches.count, 1))
    let gap = min(width * 0.2, 4)
    for (index, result) in patches.enumerated() {
      guard let measured = result.measured, measured.deltaE.isFinite else { continue }
      let left = frame.x.place(Double(index))
      // Failures stay visible, even if only their codes deviate.
      let top = min(frame.y.place(measured.deltaE), result.passes ? .infinity : frame.y.from - 2)
      let title = "\(index + 1) \(result.patch.name): ΔE ITP \(Figures.fixed(measured.deltaE, 2))"
      content.append(
        Drawing.rectangle(
          result.passes ? "pass" : "fail", SIMD2(left + gap / 2, frame.y.from), SIMD2(left + width - gap / 2, top),
          [Markup("title", [:], title)]))
      if !result.passes, numbers.count < Self.maximumNumbers {
        numbers.append(Drawing.text("off", SIMD2(left + width / 2, top - 5), "\(index + 1)", .middle))
      }
    }
    return content + numbers
  }

  private var toleranceLine: [Markup] {
    guard let tolerance = Self.tolerance(of: verification) else { return [] }
    let y = frame.y.place(tolerance)
    return [
      Drawing.line("tolerance", SIMD2(frame.x.from, y), SIMD2(frame.x.to, y)),
      Drawing.text("key", SIMD2(frame.x.to + 7, y + 4), "tolerance \(Figures.shortest(tolerance))"),
    ]
  }
}

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
    let places = ramp.points(maximum: Self.maximumPoints).map { point -> SIMD2<Double>? in
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

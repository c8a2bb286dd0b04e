internal import ColorScience
internal import Foundation
internal import HTMLReports
internal import Patterns

/// EOTF tracking: measured against intended light of greys.
struct EOTFPlot {
  /// Intended and measured light of a grey.
  private struct Reading {
    var name: String
    /// In cd/m².
    var intended: Double
    var measured: Double
    var passes: Bool

    var error: Double { measured / intended - 1 }
  }

  private let patches: [Reading]
  private let ramps: [[Reading]]

  /// Luminance in cd/m² below which nothing is plotted: black is reported separately.
  private static let darkest = 0.001
  /// Relative error shown by the band.
  private static let band = 0.1
  private static let size = SIMD2(560.0, 540.0)
  private static let maximumRamps = 8
  private static let maximumRampPoints = 128

  /// - Returns: nil if no grey was measured.
  init?(_ verification: Verification) {
    patches = verification.patches.compactMap { result in
      guard result.patch.isGray, let measured = result.measured else { return nil }
      return Self.reading(
        result.patch.name, verification.color(result.expectedNits).luminance,
        verification.color(measured.nits).luminance, passes: result.passes)
    }
    ramps = verification.ramps.prefix(Self.maximumRamps).map { ramp in
      ramp.points(maximum: Self.maximumRampPoints).compactMap {
        guard $0.measured.isFinite else { return nil }
        return Self.reading(
          ramp.name, verification.luminance(gray: $0.expected), verification.luminance(gray: $0.measured),
          passes: true)
      }
    }
    if patches.isEmpty && ramps.allSatisfy(\.isEmpty) { return nil }
  }

  private static func reading(_ name: String, _ intended: Double, _ measured: Double, passes: Bool) -> Reading? {
    guard intended.isFinite, intended >= darkest, intended < 1e6, measured.isFinite else { return nil }
    return Reading(name: name, intended: intended, measured: measured, passes: passes)
  }

  private var readings: [Reading] { patches + ramps.joined() }

  /// Whole decades that contain all intended light.
  private var domain: ClosedRange<Double> {
    let light = readings.map(\.intended)
    let first = log10(light.min() ?? 1).rounded(.down)
    let last = log10(light.max() ?? 1).rounded(.up)
    return pow(10, first)...pow(10, max(last, first + 1))
  }

  var plot: Plot {
    let errors = readings.map { abs($0.error) }.filter(\.isFinite)
    let worst = patches.max { abs($0.error) < abs($1.error) }
    let words = worst.map {
      " The grey that is furthest off is \($0.name): \(Figures.nits($0.measured)) instead of "
        + "\(Figures.nits($0.intended)) cd/m²."
    }
    return Plot(
      name: "eotf", title: "EOTF tracking",
      description: "Measured against intended luminance of \(patches.count) grey patches and \(ramps.count) ramps, "
        + "largest error \(Figures.percent(errors.max() ?? 0)).\(words ?? "")",
      width: Self.size.x, height: Self.size.y, content: tracking + errorStrip)
  }

  /// Both axes are logarithmic.
  private var tracking: [Markup] {
    let (domain, band) = (domain, Self.band)
    let frame = PlotFrame(
      x: PlotAxis(.logarithmic, domain, from: 66, to: 530), y: PlotAxis(.logarithmic, domain, from: 352, to: 10))
    let (low, high) = (domain.lowerBound, domain.upperBound)
    // Clip the band at the frame.
    let edge = [
      (low, low), (low, low * (1 + band)), (high / (1 + band), high), (high, high), (high, high * (1 - band)),
      (low / (1 - band), low),
    ]
    var content = frame.axes(x: "", y: "measured, cd/m²", showsNumbersBelow: false)
    content.append(Drawing.path("band", edge.map { frame.place($0.0, $0.1) }, isClosed: true))
    content.append(Drawing.path("ideal", [frame.place(low, low), frame.place(high, high)]))
    content += ramps.map { ramp in Drawing.path("ramp", ramp.map { frame.place($0.intended, $0.measured) }) }
    content += marks { frame.place($0.intended, $0.measured) }
    return content + legend
  }

  /// The error alone, in per cent.
  private var errorStrip: [Markup] {
    let worst = readings.map { abs($0.error) * 100 }.filter(\.isFinite).max() ?? 0
    let limit = min(max(PlotAxis.round(worst), 20), 100)
    let frame = PlotFrame(
      x: PlotAxis(.logarithmic, domain, from: 66, to: 530), y: PlotAxis(.linear, -limit...limit, from: 492, to: 376))
    var content = frame.axes(
      x: "intended, cd/m²", y: "error, %", yLabel: { ($0 > 0 ? "+" : "") + PlotAxis.label($0) })
    let band = Self.band * 100
    content.append(
      Drawing.rectangle(
        "band", frame.place(domain.lowerBound, -band), frame.place(domain.upperBound, band)))
    content.append(Drawing.path("ideal", [frame.place(domain.lowerBound, 0), frame.place(domain.upperBound, 0)]))
    content += ramps.map { ramp in Drawing.path("ramp", ramp.map { frame.place($0.intended, $0.error * 100) }) }
    return content + marks { frame.place($0.intended, $0.error * 100) }
  }

  private func marks(_ place: (Reading) -> SIMD2<Double>) -> [Markup] {
    // Failing greys are drawn on top.
    (patches.filter(\.passes) + patches.filter { !$0.passes }).map { reading in
      Drawing.mark(
        place(reading), passes: reading.passes,
        "\(reading.name): \(Figures.nits(reading.measured)) instead of \(Figures.nits(reading.intended)) cd/m²")
    }
  }

  private var legend: [Markup] {
    var entries: [(Markup, String)] = []
    func add(_ words: String, _ symbol: (SIMD2<Double>) -> Markup) {
      entries.append((symbol(SIMD2(390, 340 - 18 * Double(entries.count))), words))
    }
    add("±10 %") { Drawing.rectangle("band", $0 - SIMD2(10, 6), $0 + SIMD2(10, 4)) }
    if ramps.contains(where: { !$0.isEmpty }) {
      add("ramps") { Drawing.path("ramp", [$0 - SIMD2(10, 1), $0 + SIMD2(10, -1)]) }
    }
    if patches.contains(where: { !$0.passes }) {
      add("grey patch, off") { Drawing.mark($0 - SIMD2(0, 1), passes: false, "") }
    }
    if patches.contains(where: \.passes) { add("grey patch") { Drawing.mark($0 - SIMD2(0, 1), passes: true, "") } }
    return entries.enumerated().flatMap { index, entry in
      [entry.0, Drawing.text("key", SIMD2(408, 344 - 18 * Double(index)), entry.1)]
    }
  }
}

internal import ColorScience
internal import HTMLReports
internal import Patterns

/// Intended and measured colours in the CIE 1976 chromaticity diagram.
struct ChromaticityPlot {
  private struct Reading {
    var name: String
    var intended: SIMD2<Double>
    var measured: SIMD2<Double>
    var passes: Bool
  }

  private let readings: [Reading]

  /// Luminance in cd/m² below which codes are too coarse for a chromaticity.
  static let darkest = 0.5
  private static let size = SIMD2(560.0, 540.0)
  /// u' and v' have the same scale.
  private static let frame = PlotFrame(
    x: PlotAxis(.linear, -0.03...0.64, from: 52, to: 546), y: PlotAxis(.linear, -0.02...0.634, from: 492, to: 10))

  /// - Returns: nil if no measured patch has a chromaticity.
  init?(_ verification: Verification) {
    readings = verification.patches.compactMap { result in
      guard let measured = result.measured else { return nil }
      let colors = [verification.color(result.expectedNits), verification.color(measured.nits)]
      guard colors.allSatisfy({ $0.luminance >= Self.darkest }) else { return nil }
      let places = colors.compactMap { $0.chromaticity?.uniform }
      guard places.count == 2, places.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
      return Reading(name: result.patch.name, intended: places[0], measured: places[1], passes: result.passes)
    }
    if readings.isEmpty { return nil }
  }

  var plot: Plot {
    let distances = readings.map { reading -> Double in
      let difference = reading.measured - reading.intended
      return (difference * difference).sum().squareRoot()
    }
    let worst = zip(distances, readings).max { $0.0 < $1.0 }
    let words = worst.map { " The largest distance is \(Figures.fixed($0.0, 4)), of \($0.1.name)." } ?? ""
    return Plot(
      name: "chromaticity", title: "CIE 1976 u′v′ chromaticities",
      description: "Intended and measured chromaticities of \(readings.count) patches of at least 0.5 cd/m².\(words)",
      width: Self.size.x, height: Self.size.y, content: ground + marks + legend)
  }

  private func place(_ uniform: SIMD2<Double>) -> SIMD2<Double> { Self.frame.place(uniform.x, uniform.y) }

  /// Spectral locus and gamuts.
  private var ground: [Markup] {
    var content = Self.frame.axes(x: "u′", y: "v′")
    content.append(
      Drawing.path("locus", SpectralLocus.chromaticities.map { place($0.uniform) }, isClosed: true))
    for wavelength in [460, 480, 500, 520, 560, 600] {
      let spot = place(SpectralLocus.chromaticity(wavelength).uniform)
      // Outwards from white.
      let outwards = spot - place(Chromaticity.d65.uniform)
      let length = (outwards * outwards).sum().squareRoot()
      let end = spot + outwards / length * 5
      content.append(Drawing.line("locus", spot, end))
      let anchor: Drawing.Anchor = abs(outwards.x) < 0.35 * length ? .middle : outwards.x < 0 ? .end : .start
      content.append(
        Drawing.text(
          "nanometres", end + SIMD2(outwards.x / length * 4, outwards.y / length * 7 + 3), "\(wavelength)", anchor))
    }
    content += Self.gamuts.map { gamut in
      let corners = [gamut.space.red, gamut.space.green, gamut.space.blue]
      return Drawing.path("gamut \(gamut.kind)", corners.map { place($0.uniform) }, isClosed: true)
    }
    let white = place(Chromaticity.d65.uniform)
    return content + [
      Drawing.line("white", white - SIMD2(8, 0), white + SIMD2(8, 0)),
      Drawing.line("white", white - SIMD2(0, 8), white + SIMD2(0, 8)),
    ]
  }

  private static let gamuts: [(kind: String, name: String, space: RGBSpace)] = [
    ("bt2020", "BT.2020", .bt2020), ("p3", "P3", .displayP3), ("bt709", "BT.709", .bt709),
  ]

  private var marks: [Markup] {
    let sorted = readings.filter(\.passes) + readings.filter { !$0.passes }
    return sorted.map { Drawing.path("joint", [place($0.intended), place($0.measured)]) }
      + sorted.map { Drawing.ring(place($0.intended)) }
      + sorted.map { reading in
        Drawing.mark(
          place(reading.measured), passes: reading.passes,
          "\(reading.name): u′v′ \(Self.words(reading.measured)) instead of \(Self.words(reading.intended))")
      }
  }

  private static func words(_ uniform: SIMD2<Double>) -> String {
    "\(Figures.fixed(uniform.x, 4)), \(Figures.fixed(uniform.y, 4))"
  }

  private var legend: [Markup] {
    var entries: [(Markup, String)] = []
    func add(_ words: String, _ symbol: (SIMD2<Double>) -> Markup) {
      entries.append((symbol(SIMD2(424, 478 - 18 * Double(entries.count))), words))
    }
    for gamut in Self.gamuts {
      add(gamut.name) { Drawing.path("gamut \(gamut.kind)", [$0 - SIMD2(12, 0), $0 + SIMD2(12, 0)]) }
    }
    add("D65") { Drawing.path("white", [$0 - SIMD2(8, 0), $0 + SIMD2(8, 0), nil, $0 - SIMD2(0, 8), $0 + SIMD2(0, 8)]) }
    if readings.contains(where: { !$0.passes }) { add("measured, off") { Drawing.mark($0, passes: false, "") } }
    if readings.contains(where: \.passes) { add("measured") { Drawing.mark($0, passes: true, "") } }
    add("intended") { Drawing.ring($0) }
    return entries.enumerated().flatMap { index, entry in
      [entry.0, Drawing.text("key", SIMD2(444, 482 - 18 * Double(index)), entry.1)]
    }
  }
}

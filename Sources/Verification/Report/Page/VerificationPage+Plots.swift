internal import HTMLReports
internal import Patterns

extension VerificationPage {
  /// The most important figures.
  var keyFigures: Markup {
    var figures: [Markup.KeyFigure] = []
    let patches = verification.patches
    if !patches.isEmpty {
      figures.append(.init("Patches within tolerance", "\(verification.counts.passing)", "of \(patches.count)"))
    }
    let differences = patches.compactMap { $0.measured?.deltaE }.filter { $0.isFinite }
    if let worst = differences.max() {
      let mean = differences.reduce(0, +) / Double(differences.count)
      figures.append(.init("Mean ΔE ITP", Figures.fixed(mean, 2)))
      figures.append(
        .init("Largest ΔE ITP", Figures.fixed(worst, 2), "tolerance \(Figures.shortest(verification.tolerance.deltaE))")
      )
    }
    if let point = verification.clipPoint { figures.append(.init("Clips above", Figures.nits(point), "cd/m²")) }
    if let black = verification.black { figures.append(.init("Black", Figures.nits(black), "cd/m²")) }
    for coverage in verification.gamut?.coverage ?? [] {
      figures.append(.init("Coverage of \(coverage.gamut.words)", Figures.percent(coverage.share)))
    }
    return .keyFigures(figures)
  }

  /// The plots; nil if there is nothing to plot.
  var plots: Markup? {
    var pair: [Markup] = []
    if let plot = EOTFPlot(verification)?.plot {
      pair.append(.figure(plot, "Luminance of greys, measured against intended.", kind: "plot"))
    }
    if let plot = ChromaticityPlot(verification)?.plot {
      pair.append(
        .figure(
          plot,
          "Measured colours joined to those intended, from \(Figures.shortest(ChromaticityPlot.darkest)) cd/m².",
          kind: "plot"))
    }
    var figures = pair.isEmpty ? [] : [Markup("div", ["class": "pair"], pair)]
    if let plot = DifferencePlot(verification)?.plot {
      figures.append(
        .figure(
          plot, "Difference of each patch from the colour intended, in the order of the table.", kind: "plot wide")
      )
    }
    let ramps = RampPlot.all(verification)
    if !ramps.isEmpty {
      figures.append(
        Markup(
          "div", ["class": "pair"],
          ramps.map { ramp in
            let result =
              "\(Figures.fixed(ramp.ramp.meanDeltaE, 2)) ΔE ITP on average, \(ramp.ramp.passes ? "within tolerance" : "fails")."
            return Markup.figure(ramp.plot, "Error along the ramp. " + result, kind: "plot")
          }))
    }
    return figures.isEmpty ? nil : .section("Measurements", figures)
  }
}

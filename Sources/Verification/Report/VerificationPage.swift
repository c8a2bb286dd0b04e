internal import ColorScience
public import Foundation
internal import HTMLReports
internal import Patterns

/// A verification as a self-contained HTML page without scripts or external resources.
public struct VerificationPage {
  let verification: Verification
  let picture: Data?

  /// Maximum number of characters shown of a name or sentence.
  static let maximumCharacters = 400

  /// Creates the page of a verification.
  /// - Parameters:
  ///   - verification: The results.
  ///   - picture: A frame of the input, at any size, as PNG in display colours; nil: omitted.
  public init(_ verification: Verification, picture: Data?) {
    self.verification = verification
    self.picture = picture
  }

  /// The complete page, which is also well-formed XML.
  public var html: String {
    let isFound = verification.verdict != .notFound
    let parts = [faults, notes] + (isFound ? [plots] : []) + [frame] + (isFound ? tables : [])
    let title = "\(verdictWords): \(verification.pattern.name) in \(Self.short(verification.input.name))"
    return Page(title: title, style: Self.style, content: [header] + parts.compactMap { $0 } + [footer]).html
  }

  static func short(_ text: String) -> String { text.visible.shortened(to: maximumCharacters) }

  private var verdictWords: String {
    switch verification.verdict {
    case .passed: "Passed"
    case .notPassed: "Not passed"
    case .notFound: "Not found"
    }
  }

  private var header: Markup {
    let verdict = verification.verdict
    let aside =
      switch verdict {
      case .passed: "every measurement is within tolerance"
      case .notPassed: Figures.count(verification.faults.count, "fault")
      case .notFound: "the pattern is not in what was read"
      }
    let badge = Markup.verdict(verdictWords.uppercased(), isGood: verdict == .passed, aside)
    return .header(
      "Verification of a test pattern", Self.short(verification.pattern.name),
      [badge] + (verdict == .notFound ? [] : [keyFigures])
        + [.facts(verification.facts.map { ($0.name, Self.short($0.value)) })])
  }

  private var faults: Markup? {
    guard !verification.faults.isEmpty else { return nil }
    let items = verification.faults.map { fault in
      Markup(
        "li", [:],
        [
          Markup("code", [:], Self.short(fault.name)), Markup("p", [:], Self.short(fault.explanation)),
        ])
    }
    return .section("Faults", [Markup("ol", ["class": "faults"], items)])
  }

  private var notes: Markup? {
    guard !verification.notes.isEmpty else { return nil }
    return .section("Notes", [.notes(verification.notes.map(Self.short))])
  }

  private var frame: Markup? {
    let failing = verification.patches.contains { !$0.passes }
    guard picture != nil || (failing && verification.placement != nil) else { return nil }
    let caption =
      failing ? "Patches that fail are outlined, with their number in the table of patches." : "A frame of the input."
    let plot = FramePlot(verification: verification, picture: picture).plot
    return .section("Picture", [.figure(plot, caption, kind: "picture", hasTitle: false)])
  }

  private var footer: Markup {
    .footer(
      "Made by Headroom. ΔE ITP as in ITU-R BT.2124: 1 is a just noticeable difference. Codes are R′G′B′ in the "
        + "input's bit depth and range. Chromaticities x, y are CIE 1931, u′, v′ CIE 1976.")
  }

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

  /// Tables of all measurements.
  var tables: [Markup?] { [patchTable, rampTable, detailTable, findingTable] }

  private var patchTable: Markup? {
    guard !verification.patches.isEmpty else { return nil }
    var number = 0
    let bodies = verification.groups.map { group in
      let name = Markup("th", ["scope": "rowgroup", "colspan": "12"], Self.short(group.name))
      let rows = group.patches.map { patch -> Markup in
        number += 1
        return row(number, patch)
      }
      return Markup("tbody", [:], [Markup("tr", ["class": "group"], [name])] + rows)
    }
    return .section("Patches", [.table("Patches", heads: patchHeads, bodies: bodies)])
  }

  /// Chromaticities have a separate class: narrow pages leave them to the plot.
  private var patchHeads: [Markup] {
    let groups = [
      ("", "", ["No.", "Patch"]), ("R′G′B′ codes", "", ["intended", "measured"]),
      ("Luminance, cd/m²", "", ["intended", "measured", "off"]), ("CIE 1931 x, y", "xy", ["intended", "measured"]),
      ("ΔE ITP", "", ["mean", "largest"]), ("", "", [""]),
    ]
    let first = groups.map { name, kind, titles in
      name.isEmpty
        ? Markup("td", ["colspan": "\(titles.count)"])
        : Markup("th", ["scope": "colgroup", "colspan": "\(titles.count)", "class": kind], name)
    }
    let second = groups.flatMap { _, kind, titles in
      titles.map { $0.isEmpty ? Markup.resultHead : .columnHead($0, $0 == "Patch" ? "text" : kind) }
    }
    return [Markup("tr", [:], first), Markup("tr", [:], second)]
  }

  private func row(_ number: Int, _ result: PatchResult) -> Markup {
    let intended = verification.color(result.expectedNits)
    let measured = result.measured.map { verification.color($0.nits) }
    let off = measured.map { $0.luminance / intended.luminance - 1 }
    let decimals = verification.codes.bitDepth > 12 ? 0 : 1
    let cells: [(kind: String, text: String?)] = [
      ("", codes(result.expectedCodes, 0)), ("", result.measured.map { codes($0.codes, decimals) }),
      ("", Figures.nits(intended.luminance)), ("", measured.map { Figures.nits($0.luminance) }),
      ("", off.flatMap { $0.isFinite && intended.luminance >= 0.01 ? share($0) : nil }), ("xy", xy(intended)),
      ("xy", measured.flatMap(xy)), ("", result.measured.map { Figures.fixed($0.deltaE, 2) }),
      ("", result.measured.map { Figures.fixed($0.worstDeltaE, 2) }),
    ]
    return Markup(
      "tr", result.passes ? [:] : ["class": "off"],
      [.cell("\(number)"), Markup("th", ["scope": "row"], Self.short(result.patch.name))]
        + cells.map { .cell($0.text ?? Figures.none, $0.kind) }
        + [mark(result.mark, result.reason)])
  }

  private func share(_ share: Double) -> String {
    Figures.signed(share * 100, 1).replacingOccurrences(of: "-", with: "−") + " %"
  }

  private func codes(_ codes: SIMD3<Double>, _ decimals: Int) -> String {
    // Figure spaces align the components vertically.
    let width = String(verification.codes.maxCode).count + (decimals > 0 ? decimals + 1 : 0)
    return [codes.x, codes.y, codes.z].map { code in
      let text = Figures.fixed(code, decimals)
      return String(repeating: "\u{2007}", count: max(width - text.count, 0)) + text
    }.joined(separator: " ")
  }

  private func xy(_ color: DisplayColor) -> String? {
    color.chromaticity.map { "\(Figures.fixed($0.x, 4)), \(Figures.fixed($0.y, 4))" }
  }

  private var rampTable: Markup? {
    table(
      "Ramps", ["Ramp", "mean ΔE ITP", "largest ΔE ITP", "levels seen", "levels intended"],
      verification.ramps.map { ramp in
        ([ramp.name] + ramp.figures + ["\(ramp.expectedLevels)"], ramp.mark, ramp.reason)
      })
  }

  private var detailTable: Markup? {
    table(
      "Details", ["Detail", "of", "shift in pixels of luma", "contrast"],
      verification.details.map { detail in
        (
          [
            detail.detail.name, detail.detail.kind.rawValue, detail.shiftWords,
            detail.contrast.map { Figures.percent($0, 0) } ?? Figures.none,
          ], detail.mark, detail.reason
        )
      })
  }

  private var findingTable: Markup? {
    let frames = verification.frames.map { [("Moving frames", $0.words)] } ?? []
    let facts = verification.findings + frames
    guard !facts.isEmpty else { return nil }
    return .section("As a whole", [.facts(facts.map { ($0.0, Self.short($0.1)) })])
  }

  private func table(_ name: String, _ titles: [String], _ rows: [(cells: [String], mark: Mark, reason: String?)])
    -> Markup?
  {
    guard !rows.isEmpty else { return nil }
    let body = rows.map { row in
      Markup(
        "tr", row.mark == .fails ? ["class": "off"] : [:],
        [Markup("th", ["scope": "row"], Self.short(row.cells[0]))]
          + row.cells.dropFirst().map { .cell($0) } + [mark(row.mark, row.reason)])
    }
    let heads = [Markup.columnHeads(titles, text: titles[0])]
    return .section(name, [.table(name, heads: heads, bodies: [Markup("tbody", [:], body)])])
  }

  private func mark(_ mark: Mark, _ reason: String?) -> Markup {
    let reason = reason.map { ": \(Self.short($0))" } ?? ""
    return switch mark {
    case .passes: .cell("✓\(reason)", "mark")
    case .fails: .cell("✕ fails\(reason)", "mark failed")
    case .none: .cell("not measured", "mark")
    }
  }
}

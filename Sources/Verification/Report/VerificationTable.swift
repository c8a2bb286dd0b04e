internal import ColorScience
internal import HTMLReports
internal import Patterns

/// A verification as monospaced text for a terminal.
public struct VerificationTable {
  let verification: Verification
  /// Lists every patch, however many there are.
  let isVerbose: Bool

  /// Text width in columns.
  static let width = 110
  /// Maximum number of patches that are all listed by default.
  static let fewPatches = 120

  /// Maximum number of characters of a name or sentence.
  static let maximumCharacters = 600

  /// Creates the table of a verification.
  /// - Parameters:
  ///   - verification: The results.
  ///   - isVerbose: Lists every patch; otherwise, passing patches are summarized if there are more than 120.
  public init(_ verification: Verification, isVerbose: Bool = false) {
    self.verification = verification
    self.isVerbose = isVerbose
  }

  /// Lines of at most 110 characters, the last with the verdict, without a final line break.
  public var text: String {
    var sections = [list(verification.facts)]
    if verification.verdict != .notFound {
      sections += [patches, ramps, details, frames, list(verification.findings)]
    }
    sections += [faults, notes, [verification.conclusion]]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// Formats names on the left and values beside them.
  private func list(_ facts: [Verification.Fact]) -> [String] {
    let width = (facts.map(\.name.count).max() ?? 0) + 2
    return facts.flatMap { fact in
      let lines = fact.value.shortened(to: Self.maximumCharacters).wrapped(to: Self.width - width)
      return lines.enumerated().map { ($0 == 0 ? fact.name : "").padded(to: width) + $1 }
    }
  }

  private var ramps: [String] {
    guard !verification.ramps.isEmpty else { return [] }
    let rows = verification.ramps.map { ramp -> [String] in
      [ramp.name.visible] + ramp.figures + ["\(ramp.expectedLevels)", ramp.mark.rawValue]
    }
    let columns: [TextColumns.Column] = [
      .init("", isNumeric: false), .init("mean ΔE ITP"), .init("largest"), .init("levels"), .init("of"),
      .init("", isNumeric: false),
    ]
    return lines("Ramps", columns, rows, verification.ramps.map(\.reason))
  }

  private var details: [String] {
    guard !verification.details.isEmpty else { return [] }
    let rows = verification.details.map { detail in
      [
        detail.detail.name.visible, detail.detail.kind.rawValue, detail.shiftWords,
        detail.contrast.map { Figures.percent($0, 0) } ?? Figures.none, detail.mark.rawValue,
      ]
    }
    let columns: [TextColumns.Column] = [
      .init("", isNumeric: false), .init("of", isNumeric: false), .init("shift in pixels"), .init("contrast"),
      .init("", isNumeric: false),
    ]
    return lines("Details", columns, rows, verification.details.map(\.reason))
  }

  private func lines(
    _ title: String, _ columns: [TextColumns.Column], _ rows: [[String]], _ reasons: [String?]
  ) -> [String] {
    let table = TextColumns(columns, rows: rows, width: Self.width)
    return [title, table.header] + zip(rows, reasons).flatMap { withReason(table.line($0), $1) }
  }

  private var frames: [String] {
    verification.frames.map { list([("Moving frames", $0.words)]) } ?? []
  }

  private var faults: [String] {
    guard !verification.faults.isEmpty else { return [] }
    return ["Faults"]
      + verification.faults.flatMap { fault in
        ["  \(fault.name.visible.shortened(to: Self.width - 2))"]
          + fault.explanation.visible.shortened(to: Self.maximumCharacters).wrapped(to: Self.width - 6).map {
            "      " + $0
          }
      }
  }

  private var notes: [String] {
    guard !verification.notes.isEmpty else { return [] }
    return ["Notes"]
      + verification.notes.flatMap { $0.visible.shortened(to: Self.maximumCharacters).listed(to: Self.width) }
  }

  /// Maximum number of failing patches listed per group, in large patterns.
  private static let maximumFailures = 12

  /// The patches by group: all, or only failing ones in large patterns.
  var patches: [String] {
    let groups = verification.groups
    guard !groups.isEmpty else { return [] }
    let isShort = verification.patches.count > Self.fewPatches && !isVerbose
    let shown = groups.map {
      isShort ? Array($0.patches.filter { !$0.passes }.prefix(Self.maximumFailures)) : $0.patches
    }
    let table = TextColumns(columns, rows: shown.joined().map(row), width: Self.width)
    var lines = table.rows.isEmpty ? ["Patches"] : [table.header]
    for (group, patches) in zip(groups, shown) {
      let title = isShort ? "\(group.name): \(summary(of: group.patches))" : group.name
      lines += title.visible.shortened(to: 2 * Self.width).wrapped(to: Self.width)
      lines += patches.flatMap { withReason(table.line(row($0)), $0.reason) }
      let failing = group.patches.count { !$0.passes }
      if isShort, failing > patches.count { lines.append("  and \(failing - patches.count) more that fail") }
    }
    return lines
  }

  /// Appends the names of the faults that explain a row's mark, on the next line if they do not fit.
  func withReason(_ line: String, _ reason: String?) -> [String] {
    guard let reason = reason?.visible else { return [line] }
    let whole = "\(line) \(reason)"
    return whole.count <= Self.width ? [whole] : [line, "    " + reason.shortened(to: Self.width - 4)]
  }

  /// The mean of a single frame is also its worst value.
  private var hasWorst: Bool { verification.measuredFrames > 1 }

  private var columns: [TextColumns.Column] {
    [
      .init("", isNumeric: false), .init("R'G'B' codes"), .init("measured"), .init("cd/m²"), .init("measured"),
      .init("off"), .init("ΔE ITP"),
    ] + (hasWorst ? [.init("largest")] : []) + [.init("", isNumeric: false)]
  }

  private func row(_ result: PatchResult) -> [String] {
    let expected = verification.color(result.expectedNits).luminance
    let head = [result.patch.name.visible, codes(result.expectedCodes, 0)]
    guard let measured = result.measured else {
      return head + [Figures.none, Figures.nits(expected), Figures.none, Figures.none, Figures.none]
        + (hasWorst ? [Figures.none] : []) + [result.mark.rawValue]
    }
    let luminance = verification.color(measured.nits).luminance
    let numbers = [
      codes(measured.codes, verification.codes.bitDepth > 12 ? 0 : 1), Figures.nits(expected), Figures.nits(luminance),
      expected >= 0.01 ? Figures.signed((luminance / expected - 1) * 100, 1) + " %" : Figures.none,
      Figures.fixed(measured.deltaE, 2),
    ]
    return head + numbers + (hasWorst ? [Figures.fixed(measured.worstDeltaE, 2)] : []) + [result.mark.rawValue]
  }

  private func codes(_ codes: SIMD3<Double>, _ decimals: Int) -> String {
    let width = String(verification.codes.maxCode).count + (decimals > 0 ? decimals + 1 : 0)
    return [codes.x, codes.y, codes.z].map { Figures.fixed($0, decimals).padded(to: width, leading: true) }
      .joined(separator: " ")
  }

  private func summary(of patches: [PatchResult]) -> String {
    let (failing, passing) = (patches.count { $0.mark == .fails }, patches.count { $0.mark == .passes })
    var parts = [
      failing > 0
        ? "\(failing) of \(patches.count) fail"
        : "\(passing == patches.count ? "all " : "")\(passing) within tolerance"
    ]
    let measured = patches.compactMap { patch in patch.measured.map { (patch.patch.name, $0.deltaE) } }
      .filter(\.1.isFinite)
    if let worst = measured.max(by: { $0.1 < $1.1 }) {
      let mean = measured.map(\.1).reduce(0, +) / Double(measured.count)
      parts.append("ΔE ITP \(Figures.fixed(mean, 2)) on average, \(Figures.fixed(worst.1, 2)) at most (\(worst.0))")
    }
    let missing = patches.count { $0.measured == nil }
    if missing > 0 { parts.append("\(missing) not measured") }
    return parts.joined(separator: "; ")
  }
}

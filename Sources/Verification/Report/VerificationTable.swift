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
      + verification.notes.flatMap { note in
        note.visible.shortened(to: Self.maximumCharacters).wrapped(to: Self.width - 4).enumerated().map {
          ($0 == 0 ? "  - " : "    ") + $1
        }
      }
  }
}

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
    return Markup(
      "header", [:],
      [
        Markup("p", ["class": "overline"], "Verification of a test pattern"),
        Markup("h1", [:], Self.short(verification.pattern.name)), badge,
      ] + (verdict == .notFound ? [] : [keyFigures]) + [
        .facts(verification.facts.map { ($0.name, Self.short($0.value)) })
      ])
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
    Markup(
      "footer", [:],
      [
        Markup(
          "p", [:],
          "Made by Headroom. ΔE ITP as in ITU-R BT.2124: 1 is a just noticeable difference. Codes are R′G′B′ in the "
            + "input's bit depth and range. Chromaticities x, y are CIE 1931, u′, v′ CIE 1976.")
      ])
  }
}

internal import HTMLReports

/// Why colours of a capture may differ from the reference although the objects do not.
public enum ComparisonWarning: Sendable, Hashable {
  /// The capture has other components: another camera or colour space.
  case components(capture: String, found: String, reference: String)
  /// The flash colour has another basis.
  case flash(capture: String, found: FlashBasis, reference: FlashBasis)
  /// The light was scaled by another factor, so lightness may differ: ratio of the factor to the reference's.
  case scale(capture: String, ratio: Double)
  /// The pair was not trusted.
  case fallback(capture: String)

  /// Smaller deviations of the factor change L* by less than about 0.4.
  private static let scaleTolerance = 0.01

  /// Returns the warnings of all reports, in order.
  static func all(of reports: [ComparedReport], reference: Int) -> [ComparisonWarning] {
    let base = reports[reference].report
    return reports.flatMap { compared -> [ComparisonWarning] in
      let (name, report) = (compared.name, compared.report)
      var warnings: [ComparisonWarning] = []
      if report.components != base.components {
        warnings.append(.components(capture: name, found: report.components, reference: base.components))
      }
      if report.flash != base.flash {
        warnings.append(.flash(capture: name, found: report.flash, reference: base.flash))
      }
      let ratio = report.measurement.scale / base.measurement.scale
      if !(abs(ratio - 1) <= scaleTolerance) { warnings.append(.scale(capture: name, ratio: ratio)) }
      if !report.isBelieved { warnings.append(.fallback(capture: name)) }
      return warnings
    }
  }

  /// The warning as a sentence.
  public var words: String {
    switch self {
    case .components(let capture, let found, let reference):
      "'\(capture)' was taken with \(found), the reference with \(reference)."
    case .flash(let capture, let found, let reference):
      "The colour of the flash rests on another basis in '\(capture)' (\(found.words)) than in the reference "
        + "(\(reference.words))."
    case .scale(let capture, let ratio):
      "'\(capture)' was scaled to white by \(Figures.significant(ratio, 4)) times the factor of the reference: its "
        + "lightness may differ."
    case .fallback(let capture): "The pair of '\(capture)' was not believed: it does not enter means and spreads."
    }
  }
}

public import Foundation
internal import HTMLReports

/// The colours of regions over several captures.
public struct ColorComparison: Sendable, Hashable {
  /// Maximum number of reports.
  public static let maximumReports = 1000
  /// Maximum number of readings: regions times reports.
  public static let maximumReadings = 200_000

  /// The captures, in the order given.
  public let captures: [Capture]
  /// Index of the reference capture.
  public let reference: Int
  /// The regions, starting with the first report's.
  public let regions: [Region]
  /// Other possible causes of colour differences.
  public let warnings: [ComparisonWarning]

  /// A report that was compared.
  public struct Capture: Sendable, Hashable {
    /// Name, as given.
    public let name: String
    /// nil: unknown.
    public let time: Date?
    /// The mean confidence, weighted towards the centre.
    public let confidence: Double
    /// Whether its pair is trusted.
    public let isBelieved: Bool
  }

  /// A region across the captures.
  public struct Region: Sendable, Hashable {
    /// nil: not named in any report.
    public let name: String?
    /// Counts unnamed regions, from 1.
    public let number: Int
    /// One per capture; nil where the report has no such region.
    public let readings: [Reading?]
    /// nil: no reading is trusted.
    public let statistics: RegionStatistics?

    /// The name, or "Region 3" for unnamed regions.
    public var title: String { name ?? "Region \(number)" }
  }

  /// The colour of a region in one capture.
  public struct Reading: Sendable, Hashable {
    /// L*, a*, b* in D65; nil: not measured.
    public let lab: SIMD3<Double>?
    /// Standard uncertainties; nil: unknown.
    public let uncertainty: SIMD3<Double>?
    /// From 0 to 1.
    public let confidence: Double
    /// Whether it enters the statistics: it was measured, its confidence is at least
    /// `ConstantColorReport.believedConfidence`, and its capture is trusted.
    public let isBelieved: Bool
    /// Difference from the region's colour in the reference; nil: one of them was not measured.
    public let difference: ColorDifference?
  }

  /// Compares reports.
  /// - Parameters:
  ///   - reports: In capture order.
  ///   - reference: Name of the reference report; nil: the first.
  /// - Throws: `ComparisonError`
  public init(_ reports: [ComparedReport], reference: String? = nil) throws(ComparisonError) {
    guard !reports.isEmpty else { throw .noReports }
    guard reports.count <= Self.maximumReports else {
      throw .tooManyReports(reports.count, maximum: Self.maximumReports)
    }
    var index = 0
    if let reference {
      guard let named = reports.firstIndex(where: { $0.name == reference }) else { throw .unknownReference(reference) }
      index = named
    }
    self.reference = index
    captures = reports.map {
      Capture(
        name: $0.name, time: $0.report.time, confidence: $0.report.measurement.centerWeightedMeanConfidence,
        isBelieved: $0.report.isBelieved)
    }
    let matches = RegionMatching(
      reports.map { $0.report.regions.map(\.name) }, maximumRegions: Self.maximumReadings / reports.count)
    guard let matches else { throw .tooManyRegions(maximum: Self.maximumReadings / reports.count) }
    regions = matches.regions.enumerated().map { number, match in
      Region(match, number: number + 1, of: reports, reference: index)
    }
    warnings = ComparisonWarning.all(of: reports, reference: index)
  }
}

extension ColorComparison.Region {
  init(_ match: RegionMatching.Match, number: Int, of reports: [ComparedReport], reference: Int) {
    let colors = zip(reports, match.indices).map { report, index in index.map { report.report.regions[$0] } }
    let base = colors[reference]
    name = match.name
    self.number = number
    readings = colors.enumerated().map { capture, color in
      color.map { color in
        ColorComparison.Reading(
          lab: color.lab, uncertainty: color.uncertainty, confidence: color.confidence,
          isBelieved: color.lab != nil && color.isBelieved && reports[capture].report.isBelieved,
          difference: capture == reference
            ? color.lab.map { _ in .zero } : base.flatMap { ColorDifference(from: $0, to: color) })
      }
    }
    statistics = RegionStatistics(readings.compactMap { $0 }.filter(\.isBelieved).compactMap(\.lab))
  }
}

/// A difference of two colours.
public struct ColorDifference: Sendable, Hashable {
  /// CIEDE2000, all weights 1.
  public let deltaE: Double
  /// Standard uncertainty; nil: one of the colours has none.
  public let uncertainty: Double?

  /// The difference of a colour from itself.
  static let zero = ColorDifference(deltaE: 0, uncertainty: 0)

}

extension ColorDifference {
  /// nil: one of them was not measured.
  init?(from reference: ConstantColorReport.Region, to color: ConstantColorReport.Region) {
    guard let from = reference.lab, let to = color.lab else { return nil }
    let deltaE = CIELAB.deltaE2000(from, to)
    guard deltaE.isFinite else { return nil }
    self.init(
      deltaE: deltaE,
      uncertainty: reference.uncertainty.flatMap { first in
        color.uncertainty.map { Self.uncertainty(from, first, to, $0) }
      })
  }

  /// Each component is moved by its uncertainty in both directions, and the larger changes are added in quadrature:
  /// around equal colours a difference grows in every direction, so the derivative would be 0.
  ///
  /// Source: JCGM 100:2008, 5.1.3, note 2, for independent components.
  private static func uncertainty(
    _ from: SIMD3<Double>, _ first: SIMD3<Double>, _ to: SIMD3<Double>, _ second: SIMD3<Double>
  ) -> Double {
    let deltaE = CIELAB.deltaE2000(from, to)
    var sum = 0.0
    for index in 0..<3 {
      for (step, isFirst) in [(first[index], true), (second[index], false)] {
        let changes = [step, -step].map { step in
          var (from, to) = (from, to)
          if isFirst { from[index] += step } else { to[index] += step }
          return abs(CIELAB.deltaE2000(from, to) - deltaE)
        }
        let change = max(changes[0], changes[1])
        sum += change * change
      }
    }
    return sum.squareRoot()
  }
}

/// Statistics of the trusted colours of a region.
public struct RegionStatistics: Sendable, Hashable {
  /// Number of trusted colours.
  public let count: Int
  /// The mean of L*, a*, b*.
  public let mean: SIMD3<Double>
  /// The sample standard deviations of L*, a*, b*; nil for a single colour.
  public let spread: SIMD3<Double>?
  /// The mean CIEDE2000 of the colours from their mean.
  ///
  /// Source: R. S. Berns, "Billmeyer and Saltzman's Principles of Color Technology" (3rd ed., 2000), ch. 3: mean colour
  /// difference from the mean.
  public let meanDifferenceFromMean: Double

  /// nil if there are no colours.
  init?(_ colors: [SIMD3<Double>]) {
    guard !colors.isEmpty else { return nil }
    let mean = colors.reduce(SIMD3<Double>.zero, +) / Double(colors.count)
    count = colors.count
    self.mean = mean
    let squares = colors.reduce(SIMD3<Double>.zero) { $0 + ($1 - mean) * ($1 - mean) }
    spread = colors.count > 1 ? (squares / Double(colors.count - 1)).squareRoot() : nil
    meanDifferenceFromMean =
      colors.reduce(0) { $0 + CIELAB.deltaE2000(mean, $1) } / Double(colors.count)
  }
}

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

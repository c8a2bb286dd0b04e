public import Foundation

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

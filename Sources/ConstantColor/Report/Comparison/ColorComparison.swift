public import Foundation

/// The colours of regions over several captures.
public struct ColorComparison: Sendable, Hashable {
  /// Reports of a comparison at most.
  public static let maximumReports = 1000
  /// Readings of all regions at most: regions times reports.
  public static let maximumReadings = 200_000

  /// The captures, in the order given.
  public let captures: [Capture]
  /// Index of the capture that the others are compared with.
  public let reference: Int
  /// The regions, those of the first report first.
  public let regions: [Region]
  /// Why colours may differ for other reasons than the things themselves.
  public let warnings: [ComparisonWarning]

  /// A report that was compared.
  public struct Capture: Sendable, Hashable {
    /// As given.
    public let name: String
    /// nil: unknown.
    public let time: Date?
    /// The mean confidence, weighted towards the centre.
    public let confidence: Double
    /// Its pair could be believed.
    public let isBelieved: Bool
  }

  /// A region over the captures.
  public struct Region: Sendable, Hashable {
    /// nil: none of the reports names it.
    public let name: String?
    /// From 1, for those without a name.
    public let number: Int
    /// One for each capture; nil where the report has no such region.
    public let readings: [Reading?]
    /// nil: no reading is believed.
    public let statistics: RegionStatistics?

    /// "Region 3" for those without a name.
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
    /// It enters the statistics: it was measured, its confidence is at least that of
    /// `ConstantColorReport.believedConfidence`, and its capture is believed.
    public let isBelieved: Bool
    /// From the reference's colour of the region; nil: one of them was not measured.
    public let difference: ColorDifference?
  }

  /// Compares reports.
  /// - Parameters:
  ///   - reports: In the order of the captures.
  ///   - reference: The name of the report that the others are compared with; nil: the first.
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

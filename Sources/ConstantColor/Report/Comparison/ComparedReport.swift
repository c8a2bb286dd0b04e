public import Foundation

/// A named report in a comparison.
public struct ComparedReport: Sendable, Hashable {
  /// Display name: the file name.
  public let name: String
  /// The report.
  public let report: ConstantColorReport

  /// Creates a named report.
  public init(name: String, report: ConstantColorReport) {
    self.name = name
    self.report = report
  }

  /// Reads a report.
  /// - Throws: `ComparisonError.unreadable`
  public init(name: String, json: Data) throws(ComparisonError) {
    do { self.init(name: name, report: try ConstantColorReport(json: json)) } catch {
      throw .unreadable(report: name, error)
    }
  }
}

/// Why reports cannot be compared.
public enum ComparisonError: Error, Sendable, Hashable {
  /// No reports were given.
  case noReports
  /// There are more reports than the maximum.
  case tooManyReports(Int, maximum: Int)
  /// There are more regions than can be compared over this number of reports.
  case tooManyRegions(maximum: Int)
  /// No report has the name of the reference.
  case unknownReference(String)
  /// A report cannot be read.
  case unreadable(report: String, ReportError)
}

extension ComparisonError: CustomStringConvertible {
  /// A message that describes the fault.
  public var description: String {
    switch self {
    case .noReports: "There are no reports to compare."
    case .tooManyReports(let count, let maximum): "At most \(maximum) reports can be compared, not \(count)."
    case .tooManyRegions(let maximum): "The reports have more than \(maximum) regions together: compare fewer."
    case .unknownReference(let name): "The reference '\(name)' is not among the reports."
    case .unreadable(let name, let error): "Cannot compare '\(name)': \(error.reason)."
    }
  }
}

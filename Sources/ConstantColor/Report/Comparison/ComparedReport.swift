public import Foundation

/// A report of a comparison, with the name that it goes by.
public struct ComparedReport: Sendable, Hashable {
  /// As people know it: a file's name.
  public let name: String
  /// What it says.
  public let report: ConstantColorReport

  /// A report that was read or made already.
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
  /// There are none.
  case noReports
  /// There are more than can be shown.
  case tooManyReports(Int, maximum: Int)
  /// All together have more regions than can be compared over this number of reports.
  case tooManyRegions(maximum: Int)
  /// None of the reports has the name of the reference.
  case unknownReference(String)
  /// A report cannot be read.
  case unreadable(report: String, ReportError)
}

extension ComparisonError: CustomStringConvertible {
  /// What is wrong with the reports.
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

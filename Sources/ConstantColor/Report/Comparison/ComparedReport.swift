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

/// Matches regions of several reports: by name, else by position in their lists.
struct RegionMatching {
  /// A region across the reports.
  struct Match {
    var name: String?
    /// Index in each report; nil: not present.
    var indices: [Int?]
  }

  /// In order of first appearance.
  private(set) var regions: [Match] = []

  /// The nth region with a name.
  private struct Name: Hashable {
    var name: String
    var occurrence: Int
  }

  private let reports: Int
  private var named: [Name: Int] = [:]
  /// Regions by the index of their first appearance.
  private var placed: [Int: [Int]] = [:]

  /// - Parameter names: Region names of each report, in order.
  /// - Returns: nil if there are more regions than the maximum.
  init?(_ names: [[String?]], maximumRegions: Int) {
    reports = names.count
    for (report, names) in names.enumerated() {
      add(names, of: report)
      if regions.count > maximumRegions { return nil }
    }
  }

  private mutating func add(_ names: [String?], of report: Int) {
    let keys = Self.keys(names)
    // Names first: an index match must not claim a region that a name fits.
    for (index, key) in keys.enumerated() {
      if let key, let region = named[key] { regions[region].indices[report] = index }
    }
    for (index, key) in keys.enumerated() where key.flatMap({ named[$0] }) == nil {
      let region = placed[index]?.first { region in
        regions[region].indices[report] == nil && (key == nil || regions[region].name == nil)
      }
      let chosen = region ?? append(at: index)
      regions[chosen].indices[report] = index
      if let key {
        regions[chosen].name = key.name
        named[key] = chosen
      }
    }
  }

  private mutating func append(at index: Int) -> Int {
    regions.append(Match(name: nil, indices: Array(repeating: nil, count: reports)))
    placed[index, default: []].append(regions.count - 1)
    return regions.count - 1
  }

  private static func keys(_ names: [String?]) -> [Name?] {
    var seen: [String: Int] = [:]
    return names.map { name in
      guard let name else { return nil }
      seen[name, default: 0] += 1
      return Name(name: name, occurrence: seen[name, default: 1])
    }
  }
}

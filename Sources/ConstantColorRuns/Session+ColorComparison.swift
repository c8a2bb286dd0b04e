public import ConstantColor
internal import Files
internal import Foundation
internal import Media
public import Sessions

/// A comparison of colours over several captures.
public struct ColorComparisonRequest: Sendable, Hashable, Codable {
  /// Report files in the order of the captures.
  public var reports: [String]
  /// The report to compare the others with; nil: the first.
  public var reference: String?
  /// Output file of a page; nil: none.
  public var page: String?
  /// Replaces an existing file.
  public var overwrites = false

  /// Compares the reports with the first, without a page.
  public init(_ reports: [String]) { self.reports = reports }

  /// Checks the values.
  /// - Throws: `Refusal`
  public func validate() throws(Refusal) {
    if let page, !page.lowercased().hasSuffix(".html") {
      throw .invalid("not-a-page-name", "'\(page)' is not the name of a page: use a name that ends in .html.")
    }
  }

  /// The report files; the reference comes first unless it is also listed.
  var files: [String] { reference.map { reports.contains($0) ? reports : [$0] + reports } ?? reports }
}

extension Session {
  /// Compares the colours of regions over several captures.
  /// - Throws: `Refusal`, `ComparisonError`, or the error of a library; nothing is left behind.
  public func run(_ request: ColorComparisonRequest) throws -> ColorComparison {
    try request.validate()
    let file = try request.page.flatMap {
      try OutputPath($0).file(reading: request.files, overwrites: request.overwrites)
    }
    let reports = try request.files.map { path in
      try ComparedReport(name: path.printable, json: Data(DescriptionFile.bytes(of: path)))
    }
    let comparison = try ColorComparison(reports, reference: request.reference?.printable)
    if let file { try file.write(ComparisonPage(comparison).html) }
    return comparison
  }
}

/// A text file that describes something: a calibration, a table of spectra, a report.
enum DescriptionFile {
  /// Maximum size in bytes.
  private static let maximumBytes = 8 << 20

  /// - Throws: `Refusal` if it cannot be read.
  static func bytes(of path: String) throws(Refusal) -> [UInt8] {
    do {
      return try SmallFile.bytes(of: path, upTo: maximumBytes)
    } catch {
      throw .failed("description-unreadable", "Cannot read '\(path)': \(error.description).")
    }
  }
}

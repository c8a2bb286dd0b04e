public import Foundation
internal import HTMLReports

/// Keys are in snake case, times in ISO 8601; every key is always present.
extension ColorComparison: Encodable {
  private static let format = 1

  /// Returns the comparison as JSON, with sorted keys.
  /// - Throws: `ReportError` for values that JSON cannot represent.
  public func json() throws(ReportError) -> Data {
    do { return try JSONEncoder.report.encode(self) } catch { throw ReportError(error) }
  }

  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write([
      "format": Self.format, "captures": captures, "reference": captures[reference].name, "regions": regions,
      "warnings": warnings.map(\.words),
    ])
  }
}

extension ColorComparison.Capture: Encodable {
  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write([
      "name": name, "time": time?.formatted(.iso8601), "center_weighted_mean_confidence": confidence,
      "is_believed": isBelieved,
    ])
  }
}

extension ColorComparison.Region: Encodable {
  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write(["name": name, "number": number, "readings": readings, "statistics": statistics])
  }
}

extension ColorComparison.Reading: Encodable {
  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write([
      "lab": lab, "uncertainty": uncertainty, "confidence": confidence, "srgb": lab.map(CIELAB.hexadecimal),
      "is_believed": isBelieved, "delta_e_2000": difference?.deltaE,
      "delta_e_2000_uncertainty": difference?.uncertainty,
    ])
  }
}

extension RegionStatistics: Encodable {
  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write([
      "count": count, "mean": mean, "spread": spread, "mean_delta_e_2000_from_mean": meanDifferenceFromMean,
    ])
  }
}

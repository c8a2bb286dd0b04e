public import Foundation

/// Every key is always present; missing values are null.
extension ColorComparison: Encodable {
  /// Returns the comparison as JSON, with sorted keys.
  /// - Throws: `ReportError` for values that JSON cannot represent.
  public func json() throws(ReportError) -> Data {
    do { return try JSONEncoder.report.encode(self) } catch { throw ReportError(error) }
  }

  private static let format = 1

  private enum Key: String, CodingKey {
    case format, captures, reference, regions, warnings
  }

  /// Writes keys in snake case, times in ISO 8601.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(Self.format, forKey: .format)
    try values.encode(captures, forKey: .captures)
    try values.encode(captures[reference].name, forKey: .reference)
    try values.encode(regions, forKey: .regions)
    try values.encode(warnings.map(\.words), forKey: .warnings)
  }
}

extension ColorComparison.Capture: Encodable {
  private enum Key: String, CodingKey {
    case name, time
    case confidence = "center_weighted_mean_confidence"
    case isBelieved = "is_believed"
  }

  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(time?.formatted(.iso8601), forKey: .time)
    try values.encode(confidence, forKey: .confidence)
    try values.encode(isBelieved, forKey: .isBelieved)
  }
}

extension ColorComparison.Region: Encodable {
  private enum Key: String, CodingKey { case name, number, readings, statistics }

  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(number, forKey: .number)
    try values.encode(readings, forKey: .readings)
    try values.encode(statistics, forKey: .statistics)
  }
}

extension ColorComparison.Reading: Encodable {
  private enum Key: String, CodingKey {
    case lab, uncertainty, confidence, srgb
    case isBelieved = "is_believed"
    case deltaE = "delta_e_2000"
    case deltaEUncertainty = "delta_e_2000_uncertainty"
  }

  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(lab, forKey: .lab)
    try values.encode(uncertainty, forKey: .uncertainty)
    try values.encode(confidence, forKey: .confidence)
    try values.encode(lab.map(CIELAB.hexadecimal), forKey: .srgb)
    try values.encode(isBelieved, forKey: .isBelieved)
    try values.encode(difference?.deltaE, forKey: .deltaE)
    try values.encode(difference?.uncertainty, forKey: .deltaEUncertainty)
  }
}

extension RegionStatistics: Encodable {
  private enum Key: String, CodingKey {
    case count, mean, spread
    case meanDifferenceFromMean = "mean_delta_e_2000_from_mean"
  }

  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(count, forKey: .count)
    try values.encode(mean, forKey: .mean)
    try values.encode(spread, forKey: .spread)
    try values.encode(meanDifferenceFromMean, forKey: .meanDifferenceFromMean)
  }
}

public import Foundation

/// Every key is always there, and is null where there is nothing to say.
extension ColorComparison: Encodable {
  /// The comparison as JSON, with keys in order.
  /// - Throws: `ReportError` where a value is no number that JSON has.
  public func json() throws(ReportError) -> Data {
    do { return try JSONEncoder.report.encode(self) } catch { throw ReportError(error) }
  }

  private static let format = 1

  private enum Key: String, CodingKey {
    case format, captures, reference, regions, warnings
  }

  /// Keys in snake case, times in ISO 8601.
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

  /// All keys.
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

  /// All keys.
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

  /// All keys.
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

  /// All keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(count, forKey: .count)
    try values.encode(mean, forKey: .mean)
    try values.encode(spread, forKey: .spread)
    try values.encode(meanDifferenceFromMean, forKey: .meanDifferenceFromMean)
  }
}

internal import Foundation
internal import Frames

/// Every key of a report is always present; missing values are null.
extension ConstantColorReport: Codable {
  /// The version of the fields.
  static let format = 1

  enum Key: String, CodingKey {
    case format, program, time, inputs, outputs, components, flash, warnings, regions
    case isBelieved = "is_believed"
    case minimumConfidence = "min_confidence"
  }

  /// Decodes the fields without validation; `init(json:)` also checks values.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let format = try values.decode(Int.self, forKey: .format)
    guard format == Self.format else { throw ReportError.format(format) }
    self.init(
      program: try values.decode(String.self, forKey: .program),
      time: try values.decodeIfPresent(String.self, forKey: .time).map(Self.date),
      inputs: try values.decode(Inputs.self, forKey: .inputs),
      outputs: try values.decode(Outputs.self, forKey: .outputs),
      components: try values.decode(String.self, forKey: .components),
      flash: try values.decode(FlashBasis.self, forKey: .flash), measurement: try Measurement(from: decoder),
      isBelieved: try values.decode(Bool.self, forKey: .isBelieved),
      minimumConfidence: try values.decodeIfPresent(Double.self, forKey: .minimumConfidence),
      warnings: try values.decode([String].self, forKey: .warnings),
      regions: try values.decode([Region].self, forKey: .regions))
  }

  /// Writes keys in snake case, the time in ISO 8601.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(Self.format, forKey: .format)
    try values.encode(program, forKey: .program)
    try values.encode(time?.formatted(.iso8601), forKey: .time)
    try values.encode(inputs, forKey: .inputs)
    try values.encode(outputs, forKey: .outputs)
    try values.encode(components, forKey: .components)
    try values.encode(flash, forKey: .flash)
    try measurement.encode(to: encoder)
    try values.encode(isBelieved, forKey: .isBelieved)
    try values.encode(minimumConfidence, forKey: .minimumConfidence)
    try values.encode(warnings, forKey: .warnings)
    try values.encode(regions, forKey: .regions)
  }

  private static func date(_ text: String) throws -> Date {
    guard text.utf8.count <= 40, let date = try? Date(text, strategy: .iso8601) else {
      throw ReportError.range(field: Key.time.rawValue)
    }
    return date
  }
}

extension ConstantColorReport.Outputs: Codable {
  private enum Key: String, CodingKey {
    case picture, fallback
    case confidenceMap = "confidence_map"
  }

  /// Decodes a missing key as a file that was not written.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    picture = try values.decodeIfPresent(String.self, forKey: .picture)
    fallback = try values.decodeIfPresent(String.self, forKey: .fallback)
    confidenceMap = try values.decodeIfPresent(String.self, forKey: .confidenceMap)
  }

  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(picture, forKey: .picture)
    try values.encode(fallback, forKey: .fallback)
    try values.encode(confidenceMap, forKey: .confidenceMap)
  }
}

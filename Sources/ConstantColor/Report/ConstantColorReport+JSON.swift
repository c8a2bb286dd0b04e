public import Foundation
internal import HTMLReports

extension ConstantColorReport {
  /// Maximum size of a report in bytes.
  public static let maximumBytes = 4 << 20

  /// Reads a report and checks every value.
  /// - Throws: `ReportError`, which names the field.
  public init(json: Data) throws(ReportError) {
    guard json.count <= Self.maximumBytes else { throw .size(bytes: json.count, maximum: Self.maximumBytes) }
    do { self = try JSONDecoder().decode(ConstantColorReport.self, from: json) } catch { throw ReportError(error) }
    try validate()
  }

  /// Returns the report as JSON, with sorted keys.
  /// - Throws: `ReportError` if a value could not be read back.
  public func json() throws(ReportError) -> Data {
    try validate()
    do { return try JSONEncoder.report.encode(self) } catch { throw ReportError(error) }
  }
}

extension JSONEncoder {
  /// Sorted keys, one per line.
  static var report: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension ReportError {
  /// Converts a coding error.
  init(_ error: any Error) {
    switch error {
    case let error as ReportError: self = error
    case DecodingError.keyNotFound(let key, let context):
      self = .missing(field: Self.field(context.codingPath + [key]))
    case DecodingError.valueNotFound(_, let context): self = .missing(field: Self.field(context.codingPath))
    case DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty:
      self = .type(field: Self.field(context.codingPath))
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      self = .range(field: Self.field(context.codingPath))
    case EncodingError.invalidValue(_, let context): self = .range(field: Self.field(context.codingPath))
    default: self = .notJSON
    }
  }

  /// Returns a path such as `regions[3].lab`.
  private static func field(_ path: [any CodingKey]) -> String {
    path.reduce("") { text, key in
      if let index = key.intValue { return "\(text)[\(index)]" }
      return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
    }
  }
}

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
    try encoder.write([
      Key.format.rawValue: Self.format, Key.program.rawValue: program, Key.time.rawValue: time?.formatted(.iso8601),
      Key.inputs.rawValue: inputs, Key.outputs.rawValue: outputs, Key.components.rawValue: components,
      Key.flash.rawValue: flash, Key.isBelieved.rawValue: isBelieved,
      Key.minimumConfidence.rawValue: minimumConfidence, Key.warnings.rawValue: warnings,
      Key.regions.rawValue: regions,
    ])
    try measurement.encode(to: encoder)
  }

  private static func date(_ text: String) throws -> Date {
    guard text.utf8.count <= 40, let date = try? Date(text, strategy: .iso8601) else {
      throw ReportError.range(field: Key.time.rawValue)
    }
    return date
  }
}

/// Why a constant-colour report cannot be read or written; fields are named by JSON path: `regions[3].lab`.
public enum ReportError: Error, Sendable, Hashable {
  /// The file exceeds the maximum size.
  case size(bytes: Int, maximum: Int)
  /// It is not JSON, not an object, or contains a number out of range of its type.
  case notJSON
  /// The format version is not supported.
  case format(Int)
  /// A field is missing.
  case missing(field: String)
  /// A field has a value of another type.
  case type(field: String)
  /// A number, date or text is out of range.
  case range(field: String)
  /// A list has too many elements.
  case count(field: String, maximum: Int)
}

extension ReportError: CustomStringConvertible {
  /// A message that describes the fault in the report.
  public var description: String { "The report is not valid: \(reason)." }

  /// The phrase that ends the message.
  var reason: String {
    switch self {
    case .size(let bytes, let maximum): "it has \(bytes) bytes, and a report has at most \(maximum)"
    case .notJSON: "it is not the JSON of a report"
    case .format(let format): "it has format \(format), which this version does not know"
    case .missing(let field): "its field '\(field)' is missing"
    case .type(let field): "its field '\(field)' is of another type than expected"
    case .range(let field): "its field '\(field)' is out of range"
    case .count(let field, let maximum): "its field '\(field)' has more than \(maximum) elements"
    }
  }
}

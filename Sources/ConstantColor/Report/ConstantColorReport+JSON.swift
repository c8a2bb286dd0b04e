public import Foundation
internal import Frames

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

extension ConstantColorReport.Measurement: Codable {
  private enum Key: String, CodingKey {
    case size, movement, scale
    case exposureRatio = "exposure_ratio"
    case exposureSource = "exposure_source"
    case confidence = "center_weighted_mean_confidence"
    case shareBelieved = "share_believed"
  }

  /// JSON names of the exposure sources.
  private static let sources: [(name: String, source: ConstantColorResult.ExposureSource)] = [
    ("stated", .stated), ("pictures", .pictures), ("assumed_equal", .assumedEqual),
  ]

  /// Decodes the fields without validation.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let name = try values.decode(String.self, forKey: .exposureSource)
    guard let source = Self.sources.first(where: { $0.name == name })?.source else {
      throw ReportError.range(field: Key.exposureSource.rawValue)
    }
    self.init(
      size: try values.decode(Size.self, forKey: .size),
      exposureRatio: try values.decode(Double.self, forKey: .exposureRatio), exposureSource: source,
      movement: try values.decode(Movement.self, forKey: .movement),
      scale: try values.decode(Double.self, forKey: .scale),
      centerWeightedMeanConfidence: try values.decode(Double.self, forKey: .confidence),
      shareBelieved: try values.decode(Double.self, forKey: .shareBelieved))
  }

  /// Writes keys in snake case.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(size, forKey: .size)
    try values.encode(exposureRatio, forKey: .exposureRatio)
    try values.encode(Self.sources.first { $0.source == exposureSource }?.name, forKey: .exposureSource)
    try values.encode(movement, forKey: .movement)
    try values.encode(scale, forKey: .scale)
    try values.encode(centerWeightedMeanConfidence, forKey: .confidence)
    try values.encode(shareBelieved, forKey: .shareBelieved)
  }
}

extension ConstantColorReport.Region: Codable {
  private enum Key: String, CodingKey {
    case name, area, lab, uncertainty, confidence, xyz, srgb
  }

  /// Decodes the fields without validation; XYZ and sRGB are derived from L*, a*, b*.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    name = try values.decodeIfPresent(String.self, forKey: .name)
    area = try values.decode(PictureArea.self, forKey: .area)
    lab = try values.decodeIfPresent(SIMD3<Double>.self, forKey: .lab)
    uncertainty = try values.decodeIfPresent(SIMD3<Double>.self, forKey: .uncertainty)
    confidence = try values.decode(Double.self, forKey: .confidence)
  }

  /// Writes all keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(area, forKey: .area)
    try values.encode(lab, forKey: .lab)
    try values.encode(uncertainty, forKey: .uncertainty)
    try values.encode(confidence, forKey: .confidence)
    try values.encode(xyz, forKey: .xyz)
    try values.encode(hexadecimal, forKey: .srgb)
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

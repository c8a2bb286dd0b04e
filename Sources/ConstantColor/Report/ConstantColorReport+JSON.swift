public import Foundation

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

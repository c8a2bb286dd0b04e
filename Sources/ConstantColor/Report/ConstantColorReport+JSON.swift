public import Foundation

extension ConstantColorReport {
  /// Bytes of a report that is read.
  public static let maximumBytes = 4 << 20

  /// Reads a report and checks every value.
  /// - Throws: `ReportError`, which names the field.
  public init(json: Data) throws(ReportError) {
    guard json.count <= Self.maximumBytes else { throw .size(bytes: json.count, maximum: Self.maximumBytes) }
    do { self = try JSONDecoder().decode(ConstantColorReport.self, from: json) } catch { throw ReportError(error) }
    try validate()
  }

  /// The report as JSON, with keys in order.
  /// - Throws: `ReportError` where a value could not be read again.
  public func json() throws(ReportError) -> Data {
    try validate()
    do { return try JSONEncoder.report.encode(self) } catch { throw ReportError(error) }
  }
}

extension JSONEncoder {
  /// Keys in order, a line each.
  static var report: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension ReportError {
  /// What an error of a coder says.
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

  /// `regions[3].lab`.
  private static func field(_ path: [any CodingKey]) -> String {
    path.reduce("") { text, key in
      if let index = key.intValue { return "\(text)[\(index)]" }
      return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
    }
  }
}

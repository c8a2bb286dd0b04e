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

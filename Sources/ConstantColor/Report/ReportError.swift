/// Why a report of constant colour cannot be read or written; fields are named as in its JSON: `regions[3].lab`.
public enum ReportError: Error, Sendable, Hashable {
  /// The file is larger than any report.
  case size(bytes: Int, maximum: Int)
  /// It is not JSON, not an object, or holds a number beyond those of its kind.
  case notJSON
  /// A version of the format that this program does not know.
  case format(Int)
  /// A field is missing.
  case missing(field: String)
  /// A field has a value of another type.
  case type(field: String)
  /// A number, date or text is outside the range that is permitted.
  case range(field: String)
  /// A list has too many elements.
  case count(field: String, maximum: Int)
}

extension ReportError: CustomStringConvertible {
  /// What is wrong with the report.
  public var description: String { "The report is not valid: \(reason)." }

  /// The end of a sentence.
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

internal import FFmpegIO
internal import Files
internal import Foundation

/// The JSON of reports: sorted keys, one per line. Bytes of names that are not valid Unicode are replaced.
package enum JSON {
  package static func text(_ object: [String: Any]) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self).printable.harmless
  }

  /// Returns the fields with values, on one line.
  package static func line(_ pairs: [(String, Any?)]) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: fields(pairs), options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self).printable.harmless
  }

  /// Returns all fields on one line; missing values are null.
  package static func lineWithNulls(_ pairs: [(String, Any?)]) throws -> String {
    try line(pairs.map { ($0.0, $0.1 ?? NSNull()) })
  }

  /// Returns the fields with values.
  package static func fields(_ pairs: [(String, Any?)]) -> [String: Any] {
    pairs.reduce(into: [:]) { result, pair in
      if let value = pair.1 { result[pair.0] = value }
    }
  }
}

/// The program that writes files and reports.
package enum Program {
  /// Name and version, without library versions.
  package static let name = "headroom 0.1.0"

  /// Name and version, with the versions of the libraries in use.
  package static var version: String { "\(name) (\(FFmpegVersion.libraries))" }
}

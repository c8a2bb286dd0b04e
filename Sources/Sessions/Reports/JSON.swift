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

  /// The fields that have a value, on one line.
  package static func line(_ pairs: [(String, Any?)]) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: fields(pairs), options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self).printable.harmless
  }

  /// The same on one line; what has no value is null.
  package static func lineWithNulls(_ pairs: [(String, Any?)]) throws -> String {
    try line(pairs.map { ($0.0, $0.1 ?? NSNull()) })
  }

  /// The fields that have a value.
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

  /// With the versions of the libraries in use.
  package static var version: String { "\(name) (\(FFmpegVersion.libraries))" }
}

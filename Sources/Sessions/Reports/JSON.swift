internal import FFmpegIO
internal import Files
internal import Foundation

/// The JSON of reports: keys in order, a line each. It is Unicode: bytes of names that are not are replaced in it.
package enum JSON {
  package static func text(_ object: [String: Any]) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self).printable
  }

  /// The fields that have a value, in one line.
  package static func line(_ pairs: [(String, Any?)]) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: fields(pairs), options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self).printable
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
  /// Name and version, without the libraries'.
  package static let name = "headroom 0.1.0"

  /// With the libraries that it runs with.
  package static var version: String { "\(name) (\(FFmpegVersion.libraries))" }
}

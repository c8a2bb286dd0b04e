internal import Files
internal import Foundation

/// Small kernel files.
enum Sysfs {
  /// Attributes are at most a page, EDIDs at most 256 blocks of 128 bytes.
  private static let largest = 256 * 128

  static func bytes(_ path: String) throws(SmallFile.Failure) -> [UInt8] {
    try SmallFile.bytes(of: path, upTo: largest)
  }

  /// Returns the whole text, without surrounding white space.
  static func text(_ path: String) -> String? {
    (try? bytes(path)).map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  static func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

  /// Returns the target of a symbolic link.
  static func target(_ path: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: path) }
}

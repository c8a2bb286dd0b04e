internal import Files
internal import Foundation

/// Small files of the kernel.
enum Sysfs {
  /// Attributes are at most a page, EDIDs at most 256 blocks of 128 bytes.
  private static let largest = 256 * 128

  static func bytes(_ path: String) throws(SmallFile.Failure) -> [UInt8] {
    try SmallFile.bytes(of: path, upTo: largest)
  }

  /// All of it as text, without white space around it.
  static func text(_ path: String) -> String? {
    (try? bytes(path)).map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  static func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

  /// Where a symbolic link leads.
  static func target(_ path: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: path) }
}

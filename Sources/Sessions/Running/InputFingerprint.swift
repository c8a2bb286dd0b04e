internal import Files
internal import Foundation

/// Identifies the input file of a plan without reading all of it.
public struct InputFingerprint: Sendable, Hashable, Codable {
  /// The file.
  public let path: String
  /// Its length in bytes.
  public let bytes: Int
  /// Modification time in nanoseconds since 1970, by the clock of its file system.
  public let modified: Int64
  /// Hash of its beginning, its end, and positions between.
  public let hash: String

  /// Number of hashed parts, and their length in bytes.
  private static let parts = 8
  private static let length = 1 << 16

  /// - Throws: `Refusal` if it is not a file, or cannot be read.
  package init(_ path: String) throws(Refusal) {
    guard let status = FileStatus(path) else { throw Self.unreadable(path, .system(errno)) }
    self.path = path
    (bytes, modified) = (status.byteCount, status.modified)
    let last = max(bytes - Self.length, 0)
    let places = (0..<Self.parts - 1).map { last / (Self.parts - 1) * $0 } + [last]
    do {
      hash = try ContentHash.of(file: path, at: places, length: Self.length).text
    } catch {
      throw Self.unreadable(path, error)
    }
  }

  private static func unreadable(_ path: String, _ failure: SmallFile.Failure) -> Refusal {
    .failed("film-input-unreadable", "Cannot read '\(path)': \(failure.description).")
  }

  /// A difference between a file and the one at planning time.
  public enum Change: Sendable, Hashable, Codable {
    /// Length in bytes, then and now.
    case size(Int, Int)
    /// It was modified later, by seconds.
    case modified(seconds: Double)
    /// Contents.
    case contents
  }

  /// Returns how the file has changed since; nil if unchanged.
  /// - Throws: `Refusal` if it cannot be read.
  func change() throws(Refusal) -> Change? {
    let now = try InputFingerprint(path)
    if now.bytes != bytes { return .size(bytes, now.bytes) }
    if now.hash != hash { return .contents }
    if now.modified != modified { return .modified(seconds: Double(now.modified - modified) / 1e9) }
    return nil
  }

  /// - Throws: `Refusal` if the file has changed since, or cannot be read.
  package func checkUnchanged() throws(Refusal) {
    guard let change = try self.change() else { return }
    let how =
      switch change {
      case .size(let then, let now): "it has \(now.counting("byte")), and had \(then)."
      case .modified(let seconds):
        "it was modified, by its time stamp \(abs(seconds).words(decimals: 0)) s \(seconds < 0 ? "earlier" : "later")."
      case .contents: "its contents differ."
      }
    throw .failed(
      "film-input-changed", "'\(path)' has changed since the plan was made: \(how) Make a new plan.")
  }
}

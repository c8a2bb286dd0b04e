import Foundation
import TestSupport

/// What `verify --json` says of a file.
struct Verdict {
  let status: Int32
  let faults: [String]
  let object: [String: Any]
  let messages: String

  init(_ path: String, _ pattern: String, _ arguments: [String] = []) throws {
    let result = try Command.run(["verify", path, "--pattern", pattern, "--json", "-q"] + arguments)
    status = result.status
    messages = result.messages
    object = (try? JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]) ?? [:]
    faults = (object["faults"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  var isFound: Bool { object["found"] as? Bool ?? false }

  /// For messages of tests.
  var words: String { "status \(status), faults \(faults), \(messages)" }

  /// A pattern made by `pattern` in a scratch folder.
  static func make(
    _ pattern: String, _ name: String, in scratch: Scratch, size: String = "960x540", duration: Double = 0.2,
    _ arguments: [String] = []
  ) throws -> String {
    let path = scratch.path(name)
    let result = try Command.run(
      ["pattern", pattern, "-o", path, "--size", size, "--duration", "\(duration)", "-q"] + arguments)
    guard result.status == 0 else { throw Failure(words: result.messages) }
    return path
  }

  struct Failure: Error { let words: String }
}

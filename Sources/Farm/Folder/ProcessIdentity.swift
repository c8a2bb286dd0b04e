internal import Files
internal import Foundation

/// Identifies a process uniquely, even among those that reuse its ID.
struct ProcessIdentity: Codable, Hashable, Sendable {
  /// The system's host name.
  var host: String
  /// The kernel's boot ID.
  var boot: String
  /// The PID namespace; a container has a separate one.
  var namespace: String
  var process: Int
  /// The start time in kernel ticks since boot.
  var start: UInt64

  /// This process; nil if the system does not provide the data.
  static let current: ProcessIdentity? = {
    guard let boot = text("/proc/sys/kernel/random/boot_id"), !boot.isEmpty, let namespace = currentNamespace,
      let start = startTime(of: Int(getpid()))
    else { return nil }
    return ProcessIdentity(
      host: Machine.systemHost, boot: boot, namespace: namespace, process: Int(getpid()), start: start)
  }()

  /// Whether it has certainly ended. Unknown for processes of another kernel or namespace.
  var hasEnded: Bool {
    guard let own = Self.current, host == own.host, boot == own.boot, namespace == own.namespace, process > 0 else {
      return false
    }
    return Self.startTime(of: process) != start
  }

  private static var currentNamespace: String? {
    var bytes = [CChar](repeating: 0, count: 64)
    let count = unsafe readlink("/proc/self/ns/pid", &bytes, bytes.count - 1)
    return count <= 0 ? nil : String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// nil: the process does not exist, or is a zombie.
  private static func startTime(of process: Int) -> UInt64? {
    // The name is in parentheses and may contain anything, including parentheses.
    guard let text = text("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].dropFirst().split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return UInt64(fields[19])
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? SmallFile.bytes(of: path, upTo: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

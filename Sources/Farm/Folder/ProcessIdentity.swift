internal import Files
internal import Foundation

/// Tells one process from all others, those with the same id included.
struct ProcessIdentity: Codable, Hashable, Sendable {
  /// What the system calls the host.
  var host: String
  /// Of the boot of the kernel.
  var boot: String
  /// The namespace that the id belongs to: a container has its own.
  var namespace: String
  var process: Int
  /// In the kernel's ticks since its boot.
  var start: UInt64

  /// This process; nil where the system does not say.
  static let current: ProcessIdentity? = {
    guard let boot = text("/proc/sys/kernel/random/boot_id"), !boot.isEmpty, let namespace = currentNamespace,
      let start = startTime(of: Int(getpid()))
    else { return nil }
    return ProcessIdentity(
      host: Machine.systemHost, boot: boot, namespace: namespace, process: Int(getpid()), start: start)
  }()

  /// Whether it has certainly ended. Nothing is certain about processes of another kernel or another namespace.
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

  /// nil: there is no such process, or only what its parent has yet to collect.
  private static func startTime(of process: Int) -> UInt64? {
    // The name comes in parentheses and may hold anything, parentheses included.
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

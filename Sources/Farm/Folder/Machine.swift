internal import Files
internal import Foundation

/// A rendering process and its host.
public struct Machine: Codable, Hashable, Sendable {
  /// The host name, or the node name in a cluster.
  public var host: String
  /// The process ID.
  public var process: Int
  /// Slurm's job ID: "12", or "12_3" for an array task; with "/" and the restart count if Slurm has restarted it.
  public var job: String?

  /// Creates a machine; outside a cluster, it has no job.
  public init(host: String, process: Int, job: String? = nil) {
    (self.host, self.process, self.job) = (host, process, job)
  }

  /// This process.
  public static var current: Machine {
    Machine(environment: ProcessInfo.processInfo.environment, host: systemHost, process: Int(getpid()))
  }

  /// - Parameter environment: The process environment, which includes Slurm's variables in a job.
  package init(environment: [String: String], host: String, process: Int) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    var job = value("SLURM_JOB_ID")
    if let array = value("SLURM_ARRAY_JOB_ID"), let task = value("SLURM_ARRAY_TASK_ID") { job = "\(array)_\(task)" }
    // A cluster's interactive shells have a node name without a job.
    let node = job == nil ? nil : value("SLURMD_NODENAME")
    if let name = job, let restarts = value("SLURM_RESTART_COUNT") { job = "\(name)/\(restarts)" }
    self.init(host: node ?? host, process: process, job: job)
  }

  /// The system's host name.
  static var systemHost: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns whether this is the same cluster task as another, restarted by the cluster.
  func isRestart(of other: Machine) -> Bool {
    guard let mine = task, let theirs = other.task else { return false }
    return mine.name == theirs.name && mine.restarts > theirs.restarts
  }

  private var task: (name: Substring, restarts: Int)? {
    guard let parts = job?.split(separator: "/", maxSplits: 1), let name = parts.first else { return nil }
    return (name, parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
  }
}

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

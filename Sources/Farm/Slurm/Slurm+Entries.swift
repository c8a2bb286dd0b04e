/// A job array of chunks in Slurm's queue.
public struct SlurmArray: Codable, Hashable, Sendable {
  /// The job ID of the array.
  public var job: String
  /// The difference between chunk and task numbers.
  public var offset: Int

  /// Creates an array description.
  public init(job: String, offset: Int = 0) { (self.job, self.offset) = (job, offset) }
}

extension Slurm {
  /// Returns the queue's state of chunks. If a chunk has several tasks, an unfinished one counts, otherwise the latest.
  /// - Parameter arrays: Arrays, oldest first.
  public func entries(of arrays: [SlurmArray]) throws(SlurmError) -> [QueueEntry] {
    var entries: [Int: QueueEntry] = [:]
    for entry in try endedEntries(of: arrays) + liveEntries(of: arrays) { entries[entry.number] = entry }
    return entries.values.sorted { $0.number < $1.number }
  }

  /// Returns the tasks that wait or run.
  func liveEntries(of arrays: [SlurmArray]) throws(SlurmError) -> [QueueEntry] {
    guard !arrays.isEmpty else { return [] }
    let jobs = arrays.map(\.job).joined(separator: ",")
    // Fields with free text of a site come last.
    let lines = try known("squeue", ["--noheader", "--array", "--jobs=\(jobs)", "--format=%F|%K|%T|%B|%r"])
    return Self.live(lines, of: arrays)
  }

  package static func live(_ lines: [String], of arrays: [SlurmArray]) -> [QueueEntry] {
    let offsets = Self.offsets(arrays)
    return lines.compactMap { line in
      let fields = line.split(separator: "|", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 5, let number = number(task: fields[1], of: fields[0], offsets) else { return nil }
      let reason = fields[2] == "PENDING" ? SlurmWords.waiting(fields[4]) : nil
      return QueueEntry(
        number: number, job: "\(fields[0])_\(fields[1])", state: fields[2], node: node(fields[3]), reason: reason)
    }
  }

  /// Returns the ended tasks: from the database, or from the controller, which forgets them after minutes (MinJobAge).
  private func endedEntries(of arrays: [SlurmArray]) throws(SlurmError) -> [QueueEntry] {
    guard !arrays.isEmpty else { return [] }
    if configuration.hasAccounting {
      let jobs = arrays.map(\.job).joined(separator: ",")
      let format = "--format=JobID,State,ExitCode,NodeList"
      do {
        return Self.accounted(
          try ask("sacct", ["--noheader", "--parsable2", "--allocations", "--jobs=\(jobs)", format]).lines, of: arrays)
      } catch {
        // The controller has the latest ones even while the database is unreachable.
      }
    }
    var entries: [QueueEntry] = []
    for array in arrays { entries += Self.shown(try known("scontrol", ["show", "job", array.job]), of: array) }
    return entries
  }

  /// Queries jobs that Slurm may have forgotten.
  private func known(_ program: String, _ arguments: [String]) throws(SlurmError) -> [String] {
    do { return try ask(program, arguments).lines } catch {
      guard case .refuses(_, let reason) = error, reason.lowercased().contains("invalid job id") else { throw error }
      return []
    }
  }

  /// States of unfinished tasks in `scontrol show job` and sacct.
  private static let open: Set<String> = [
    "PENDING", "RUNNING", "SUSPENDED", "CONFIGURING", "COMPLETING", "REQUEUED", "RESIZING", "STOPPED", "SIGNALING",
    "STAGE_OUT",
  ]

  /// - Parameter lines: Lines such as "12_3|CANCELLED by 1000|0:15|n1".
  package static func accounted(_ lines: [String], of arrays: [SlurmArray]) -> [QueueEntry] {
    let offsets = Self.offsets(arrays)
    return lines.compactMap { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let id = fields[0].split(separator: "_", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4, id.count == 2, let number = number(task: id[1], of: id[0], offsets),
        let state = fields[1].split(separator: " ").first.map(String.init), !open.contains(state)
      else { return nil }
      return QueueEntry(
        number: number, job: fields[0], state: state, node: node(fields[3]),
        reason: SlurmWords.ended(state, exit: fields[2]))
    }
  }

  /// - Parameter lines: Output of `scontrol show job`: "JobId=4 ArrayJobId=1 ArrayTaskId=1 ...", then indented lines.
  ///   The first occurrence of a value counts, because user text follows later.
  package static func shown(_ lines: [String], of array: SlurmArray) -> [QueueEntry] {
    var records: [[Substring: Substring]] = []
    for line in lines {
      if line.hasPrefix("JobId=") { records.append([:]) }
      guard let last = records.indices.last else { continue }
      for word in line.split(separator: " ") {
        guard let equals = word.firstIndex(of: "=") else { continue }
        let name = word[..<equals]
        // User text, up to the end of the line.
        if name == "JobName" { break }
        if records[last][name] == nil { records[last][name] = word[word.index(after: equals)...] }
      }
    }
    let offsets = Self.offsets([array])
    return records.compactMap { record in
      guard let job = record["ArrayJobId"], let task = record["ArrayTaskId"], let state = record["JobState"],
        !open.contains(String(state)), let number = number(task: String(task), of: String(job), offsets)
      else { return nil }
      return QueueEntry(
        number: number, job: "\(job)_\(task)", state: String(state), node: node(String(record["BatchHost"] ?? "")),
        reason: SlurmWords.ended(String(state), exit: String(record["ExitCode"] ?? "")))
    }
  }

  private static func offsets(_ arrays: [SlurmArray]) -> [String: Int] {
    Dictionary(arrays.map { ($0.job, $0.offset) }) { $1 }
  }

  /// Returns the chunk number of a task.
  private static func number(task: String, of job: String, _ offsets: [String: Int]) -> Int? {
    guard let offset = offsets[job], let task = Int(task), task >= 0 else { return nil }
    let (number, isTooLarge) = task.addingReportingOverflow(offset)
    return isTooLarge ? nil : number
  }

  /// Returns a node name; nil for a placeholder.
  private static func node(_ text: String) -> String? {
    ["", "n/a", "N/A", "(null)", "None", "None assigned"].contains(text) ? nil : text
  }
}

/// The state of a chunk in a queue.
public struct QueueEntry: Codable, Hashable, Sendable {
  /// The chunk number, from 0.
  public var number: Int
  /// The queue's ID: "12_3" is task 3 of array 12.
  public var job: String
  /// The queue's name for its state, such as "PENDING".
  public var state: String
  /// The machine that runs or ran it.
  public var node: String?
  /// Why it waits, or how it ended, to complete a sentence "chunk 3 ...", such as "was killed by signal 9".
  public var reason: String?

  /// Creates an entry.
  public init(number: Int, job: String, state: String, node: String? = nil, reason: String? = nil) {
    (self.number, self.job, self.state, self.node, self.reason) = (number, job, state, node, reason)
  }
}

/// Translates Slurm's job states to words that complete "chunk 3 ...".
package enum SlurmWords {
  /// Returns why a job waits.
  /// - Parameter reason: Slurm's name for it, such as "Resources".
  package static func waiting(_ reason: String) -> String? {
    switch reason {
    case "", "None", "(null)": nil
    case "Resources": "waits for a free machine"
    case "Priority": "waits for jobs that come first"
    case "Dependency": "waits for another job"
    case "DependencyNeverSatisfied": "waits for a job that will never end as it should"
    case "JobArrayTaskLimit": "waits because as many run as may run at once"
    case "BeginTime": "waits before it is run again"
    case "JobHeldUser": "is held by its user"
    case "JobHeldAdmin": "is held by an administrator"
    case "PartitionDown", "PartitionInactive": "waits because its partition takes no jobs"
    case "launch_failed_requeued_held": "is held because it could not be started"
    default:
      if reason.hasPrefix("ReqNodeNotAvail") {
        "waits for machines that are down or reserved"
      } else if reason.hasPrefix("Assoc") || reason.hasPrefix("QOS") {
        "waits because of a limit of the cluster (\(printable(reason)))"
      } else {
        "waits (\(printable(reason)))"
      }
    }
  }

  /// Returns how a job ended.
  /// - Parameters:
  ///   - state: Slurm's name for it, such as "NODE_FAIL".
  ///   - exit: Exit status and signal, such as "1:0".
  /// - Returns: nil if it succeeded.
  package static func ended(_ state: String, exit: String) -> String? {
    let parts = exit.split(separator: ":").map { Int($0) }
    let (status, signal) = (parts.first.flatMap(\.self) ?? 0, parts.dropFirst().first.flatMap(\.self) ?? 0)
    return switch state {
    case "COMPLETED": nil
    case "NODE_FAIL": "was lost because its node failed"
    case "BOOT_FAIL": "was lost because its node did not start"
    case "OUT_OF_MEMORY": "ran out of memory"
    case "TIMEOUT": "ran out of time"
    case "DEADLINE": "was not finished by its deadline"
    case "PREEMPTED": "had to give way to other jobs"
    case "CANCELLED": "was cancelled"
    // Slurm's own code, ESLURMD_... of slurm_errno.h, in place of a signal.
    case "FAILED" where signal == 53: "could not be started: its node may not see the work folder"
    case "FAILED" where signal > 0: "was killed by signal \(signal)"
    // A shell's exit status for a signal.
    case "FAILED" where status > 128 && status <= 192: "was killed by signal \(status - 128)"
    case "FAILED" where status > 0: "ended with exit status \(status)"
    case "FAILED": "failed"
    default: "ended (\(printable(state)))"
    }
  }

  /// Returns a cluster's free text as a single line of limited length.
  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(120))
  }
}

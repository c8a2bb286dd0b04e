/// The relevant configuration of a cluster.
public struct SlurmConfiguration: Sendable, Hashable {
  /// The exclusive upper limit of an array's task numbers.
  public var maximumArraySize = 1001
  /// Maximum number of tasks per array.
  public var maximumArrayTasks = Int.max
  /// A node's memory is allocated to jobs on request.
  public var countsMemory = false
  /// Ended jobs are kept in an accounting database.
  public var hasAccounting = false

  /// Creates Slurm's default configuration.
  public init() {}

  /// - Parameter lines: Output of `scontrol show config`: "MaxArraySize            = 10001".
  package init(_ lines: [String]) {
    for line in lines {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let name = line[..<equals].filter { !$0.isWhitespace }
      let value = line[line.index(after: equals)...].drop { $0 == " " }
      switch name {
      case "MaxArraySize": maximumArraySize = Int(value).map { max(0, $0) } ?? maximumArraySize
      case "SelectTypeParameters": countsMemory = value.uppercased().contains("MEMORY")
      case "AccountingStorageType": hasAccounting = value.hasSuffix("slurmdbd")
      case "SchedulerParameters":
        for parameter in value.split(separator: ",") where parameter.hasPrefix("max_array_tasks=") {
          maximumArrayTasks = Int(parameter.drop { $0 != "=" }.dropFirst()).map { max(1, $0) } ?? maximumArrayTasks
        }
      default: break
      }
    }
  }
}

/// The largest node resources of some partitions.
package struct LargestNode: Sendable, Hashable {
  /// Processors that Slurm can allocate.
  package var processors: Int
  /// Memory in MiB.
  package var memory: Int

  /// - Parameters:
  ///   - lines: Output of `sinfo --format %P|%c|%m`: "main*|64+|256000".
  ///   - partitions: Partition names; nil: the default partition, marked with a star.
  /// - Returns: nil if no node matches.
  package init?(_ lines: [String], partitions: [String]?) {
    var largest: LargestNode?
    for line in lines {
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      guard fields.count == 3, let processors = Self.number(fields[1]), let memory = Self.number(fields[2]) else {
        continue
      }
      let name = fields[0].hasSuffix("*") ? fields[0].dropLast() : fields[0]
      guard partitions?.contains(String(name)) ?? fields[0].hasSuffix("*") else { continue }
      largest = LargestNode(
        processors: max(processors, largest?.processors ?? 0), memory: max(memory, largest?.memory ?? 0))
    }
    guard let largest else { return nil }
    self = largest
  }

  package init(processors: Int, memory: Int) { (self.processors, self.memory) = (processors, memory) }

  private static func number(_ text: Substring) -> Int? {
    Int(text.hasSuffix("+") ? text.dropLast() : text).flatMap { $0 > 0 ? $0 : nil }
  }
}

/// The cost of rendering a piece.
public struct PieceCost: Codable, Hashable, Sendable {
  /// Peak memory in bytes.
  public var peakMemory: Int
  /// Elapsed time in seconds.
  public var seconds: Double
  /// Total processor time in seconds.
  public var processorSeconds: Double

  /// Creates the cost of a piece, or of the most expensive of several.
  public init(peakMemory: Int, seconds: Double, processorSeconds: Double) {
    (self.peakMemory, self.seconds, self.processorSeconds) = (peakMemory, seconds, processorSeconds)
  }
}

/// The resources to request for a job.
package struct SlurmResources: Sendable, Hashable {
  /// Memory in MiB; nil: the cluster's default.
  package var memory: Int?
  /// Processors; nil: the cluster's default.
  package var processors: Int?

  /// For the first piece, whose cost is unknown: enough to show its use. It would use less if it got less.
  package static let unknown = SlurmResources(memory: 16_384, processors: 16)

  package init(memory: Int?, processors: Int?) { (self.memory, self.processors) = (memory, processors) }

  /// Requests a quarter and 256 MiB more memory than a piece used, and as many processors as it kept busy.
  package init(_ cost: PieceCost) {
    memory = Int((Double(max(0, cost.peakMemory)) * 1.25 / Double(1 << 20)).rounded(.up)) + 256
    let busy = (cost.processorSeconds / cost.seconds).rounded(.up)
    processors = busy.isFinite ? Int(max(1, min(busy, 4096))) : 1
  }

  /// - Parameters:
  ///   - memory: Minimum memory in MiB, as less was insufficient.
  ///   - largest: Maximum resources of any job.
  package func atLeast(memory minimum: Int?, within largest: LargestNode?) -> SlurmResources {
    let wanted = memory.map { max($0, minimum ?? 0) }
    return SlurmResources(
      memory: wanted.map { max(1, min($0, largest?.memory ?? $0)) },
      processors: processors.map { max(1, min($0, largest?.processors ?? $0)) })
  }

  /// Returns the options for sbatch, except those that the user sets.
  package func words(besides options: SlurmOptions, in configuration: SlurmConfiguration) -> [String] {
    var words: [String] = []
    if let memory, configuration.countsMemory, !options.setMemory { words.append("--mem=\(memory)M") }
    if let processors, !options.setProcessors { words.append("--cpus-per-task=\(processors)") }
    return words
  }
}

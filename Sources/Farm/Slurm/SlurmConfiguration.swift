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

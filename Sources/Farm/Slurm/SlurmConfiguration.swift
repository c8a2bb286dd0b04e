/// What is known of a cluster's configuration.
public struct SlurmConfiguration: Sendable, Hashable {
  /// Numbers of an array's tasks are below it.
  public var maximumArraySize = 1001
  /// The tasks that an array may have.
  public var maximumArrayTasks = Int.max
  /// Jobs share the memory of a node by what they ask for.
  public var countsMemory = false
  /// Ended jobs are kept in a database.
  public var hasAccounting = false

  /// The defaults of Slurm.
  public init() {}

  /// - Parameter lines: Of `scontrol show config`: "MaxArraySize            = 10001".
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

/// The most that a node of some partitions has.
package struct LargestNode: Sendable, Hashable {
  /// Processors that Slurm hands out.
  package var processors: Int
  /// MiB.
  package var memory: Int

  /// - Parameters:
  ///   - lines: Of `sinfo --format %P|%c|%m`: "main*|64+|256000".
  ///   - partitions: Names; nil: the default partition, which has a star.
  /// - Returns: nil if there is none.
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

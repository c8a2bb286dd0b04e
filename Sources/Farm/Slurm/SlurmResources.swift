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
  package func atLeast(memory least: Int?, within largest: LargestNode?) -> SlurmResources {
    let wanted = memory.map { max($0, least ?? 0) }
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

/// What rendering a piece has taken.
public struct PieceCost: Codable, Hashable, Sendable {
  /// Bytes, at most at once.
  public var peakMemory: Int
  /// Seconds from begin to end.
  public var seconds: Double
  /// Seconds of all processors together.
  public var processorSeconds: Double

  /// What one piece, or the most expensive of several, has taken.
  public init(peakMemory: Int, seconds: Double, processorSeconds: Double) {
    (self.peakMemory, self.seconds, self.processorSeconds) = (peakMemory, seconds, processorSeconds)
  }
}

/// What is asked for a job.
package struct SlurmResources: Sendable, Hashable {
  /// MiB; nil: what the cluster gives.
  package var memory: Int?
  /// Processors; nil: what the cluster gives.
  package var processors: Int?

  /// The first piece, of which nothing is known, gets enough to show what it uses. Less would be used if there were less.
  package static let unknown = SlurmResources(memory: 16_384, processors: 16)

  package init(memory: Int?, processors: Int?) { (self.memory, self.processors) = (memory, processors) }

  /// A quarter and 256 MiB more than a piece took; as many processors as it kept busy.
  package init(_ cost: PieceCost) {
    memory = Int((Double(max(0, cost.peakMemory)) * 1.25 / Double(1 << 20)).rounded(.up)) + 256
    let busy = (cost.processorSeconds / cost.seconds).rounded(.up)
    processors = busy.isFinite ? Int(max(1, min(busy, 4096))) : 1
  }

  /// - Parameters:
  ///   - memory: MiB that are asked for at least, as less was not enough.
  ///   - largest: What no job can have more of.
  package func atLeast(memory least: Int?, within largest: LargestNode?) -> SlurmResources {
    let wanted = memory.map { max($0, least ?? 0) }
    return SlurmResources(
      memory: wanted.map { max(1, min($0, largest?.memory ?? $0)) },
      processors: processors.map { max(1, min($0, largest?.processors ?? $0)) })
  }

  /// Options of sbatch; the user's take precedence.
  package func words(besides options: SlurmOptions, in configuration: SlurmConfiguration) -> [String] {
    var words: [String] = []
    if let memory, configuration.countsMemory, !options.setMemory { words.append("--mem=\(memory)M") }
    if let processors, !options.setProcessors { words.append("--cpus-per-task=\(processors)") }
    return words
  }
}

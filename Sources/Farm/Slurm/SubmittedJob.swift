/// A job that was submitted for a film.
public struct SubmittedJob: Codable, Hashable, Sendable {
  /// Its number in Slurm's queue.
  public var job: String
  /// The chunks that it renders; empty: it runs after those that do.
  public var numbers: [Int]

  /// A job of Slurm.
  public init(job: String, numbers: [Int]) { (self.job, self.numbers) = (job, numbers) }
}

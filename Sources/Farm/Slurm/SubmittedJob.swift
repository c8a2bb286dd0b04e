/// A job that was submitted for a film.
public struct SubmittedJob: Codable, Hashable, Sendable {
  /// The job ID in Slurm's queue.
  public var job: String
  /// The chunks to render; empty: the job runs after them.
  public var numbers: [Int]

  /// Creates a job description.
  public init(job: String, numbers: [Int]) { (self.job, self.numbers) = (job, numbers) }
}

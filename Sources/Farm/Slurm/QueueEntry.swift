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

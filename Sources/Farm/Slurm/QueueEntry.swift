/// What a queue says about a chunk.
public struct QueueEntry: Codable, Hashable, Sendable {
  /// The chunk, from 0.
  public var number: Int
  /// The queue's own number for it: "12_3", task 3 of array 12.
  public var job: String
  /// The queue's word for its state: "PENDING".
  public var state: String
  /// The machine that it runs or ran on.
  public var node: String?
  /// Why it waits, or how it ended, in words that complete "chunk 3 ...": "was killed by signal 9".
  public var reason: String?

  /// An entry of a queue.
  public init(number: Int, job: String, state: String, node: String? = nil, reason: String? = nil) {
    (self.number, self.job, self.state, self.node, self.reason) = (number, job, state, node, reason)
  }
}

/// What a queue says about a chunk.
public struct QueueEntry: Codable, Hashable, Sendable {
  public var number: Int
  public var job: String
  public var state: String
  public var node: String?
  public var reason: String?

  public init(number: Int, job: String, state: String, node: String? = nil, reason: String? = nil) {
    self.number = number
    self.job = job
    self.state = state
    self.node = node
    self.reason = reason
  }
}

/// The progress of a chunk.
public enum PieceState: Hashable, Sendable {
  /// Available to any machine.
  case waiting
  /// Being rendered.
  case running(Claim)
  /// Its machine no longer responds; available to any other. The claim, if it still exists.
  case lost(Claim?)
  /// Completed.
  case done(PieceRecord)
  /// Out of tries: the tries.
  case failed([Try])

  /// The name of the state in one word.
  public var name: String {
    switch self {
    case .waiting: "waiting"
    case .running: "running"
    case .lost: "lost"
    case .done: "done"
    case .failed: "failed"
    }
  }
}

/// How far a chunk is.
public enum PieceState: Hashable, Sendable {
  /// Any machine may take it.
  case waiting
  /// A machine renders it.
  case running(Claim)
  /// A machine has rendered at it and shows no sign of life; any other may take it. Its claim, if it is still there.
  case lost(Claim?)
  /// Its piece is there.
  case done(PieceRecord)
  /// It has used its tries: these.
  case failed([Try])

  /// One word that tells states apart.
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

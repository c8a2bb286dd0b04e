/// An error that states what was wrong, where, and what would help, and whose fault it is.
public protocol Failure: Error, CustomStringConvertible {
  /// Whose fault it is; determines the exit status of the command line tool.
  var kind: FailureKind { get }
}

/// Whose fault a failure is.
public enum FailureKind: String, Sendable, Hashable, Codable {
  /// Something could not be read, written or processed.
  case failed
  /// The request is impossible, or names something that does not exist.
  case invalidRequest
  /// A resource was temporarily unavailable: the same request may succeed later.
  case temporary
}

extension OutputError: Failure {
  public var kind: FailureKind {
    if case .failed(_, _, let code, _) = self, SystemCode.isWorthRetrying(code) { .temporary } else { .failed }
  }
}

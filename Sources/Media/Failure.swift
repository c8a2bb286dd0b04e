/// An error that says in a sentence what was wrong, where, and what would do, and whose fault it is.
public protocol Failure: Error, CustomStringConvertible {
  /// Whose fault it is; decides the exit status of the command line.
  var kind: FailureKind { get }
}

/// Whose fault a failure is.
public enum FailureKind: String, Sendable, Hashable, Codable {
  /// Something could not be read, written or processed.
  case failed
  /// What is asked for does not exist or cannot be.
  case invalidRequest
  /// The system was short of something: the same request may succeed later.
  case temporary
}

extension OutputError: Failure {
  public var kind: FailureKind {
    if case .failed(_, _, let code, _) = self, SystemCode.isWorthRetrying(code) { .temporary } else { .failed }
  }
}

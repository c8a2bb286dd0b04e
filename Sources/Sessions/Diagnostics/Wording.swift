/// The wording of diagnostics and errors in what a session writes for people, such as a report.
public struct Wording: Sendable {
  /// The words of a diagnostic.
  public var diagnostic: @Sendable (Diagnostic) -> String
  /// The words of an error.
  public var error: @Sendable (any Error) -> String

  /// Both closures are used as they are.
  public init(
    diagnostic: @escaping @Sendable (Diagnostic) -> String, error: @escaping @Sendable (any Error) -> String
  ) {
    self.diagnostic = diagnostic
    self.error = error
  }

  /// Cases and values as in source code.
  public static let plain = Wording(diagnostic: { "\($0)" }, error: { "\($0)" })
}

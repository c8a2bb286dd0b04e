/// Gives diagnostics and errors words, for what a session writes for people, such as a report.
public struct Wording: Sendable {
  public var diagnostic: @Sendable (Diagnostic) -> String
  public var error: @Sendable (any Error) -> String

  public init(
    diagnostic: @escaping @Sendable (Diagnostic) -> String, error: @escaping @Sendable (any Error) -> String
  ) {
    self.diagnostic = diagnostic
    self.error = error
  }

  /// Cases and values as they are in source code.
  public static let plain = Wording(diagnostic: { "\($0)" }, error: { "\($0)" })
}

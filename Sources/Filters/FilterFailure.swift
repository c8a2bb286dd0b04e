/// Why a filter's text is invalid.
public struct FilterFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that says what would be valid.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Why a filter cannot be made from its text.
public struct FilterFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that says what would do.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Why a filter's text is invalid.
public struct FilterFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that lists valid values.
  public let description: String

  init(_ description: String) { self.description = description }
}

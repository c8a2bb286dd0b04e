/// How a program writes parameters and errors in texts for users, such as a report.
public struct Wording: Sendable {
  /// Spells a parameter and its value, if any.
  public var parameter: @Sendable (Parameter, String?) -> String
  /// Words an error.
  public var error: @Sendable (any Error) -> String

  /// A wording from two closures.
  public init(
    parameter: @escaping @Sendable (Parameter, String?) -> String, error: @escaping @Sendable (any Error) -> String
  ) {
    self.parameter = parameter
    self.error = error
  }

  /// Parameters as in source code, and errors as they describe themselves.
  public static let plain = Wording(parameter: MessageText.plain, error: { "\($0)" })

  /// The text of a message.
  public func text(_ message: Message) -> String { message.text.spelled(parameter) }
}

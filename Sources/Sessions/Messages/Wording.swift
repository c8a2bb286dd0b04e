/// How a program writes parameters and errors in texts for people, such as a report.
public struct Wording: Sendable {
  /// A parameter with its value, if there is one.
  public var parameter: @Sendable (Parameter, String?) -> String
  /// The words of an error.
  public var error: @Sendable (any Error) -> String

  /// Both closures are used as they are.
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

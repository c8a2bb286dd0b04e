public import Media

/// Why a request cannot be carried out.
public struct Refusal: Error, Sendable, Hashable {
  /// The reason.
  public let message: Message
  /// Kind of failure.
  public let kind: FailureKind
  /// It would be a warning if the request were not strict.
  public let isStrict: Bool

  private init(_ message: Message, _ kind: FailureKind, isStrict: Bool = false) {
    (self.message, self.kind, self.isStrict) = (message, kind, isStrict)
  }

  /// The request asks for something that does not exist or is impossible.
  package static func invalid(_ message: Message) -> Refusal { Refusal(message, .invalidRequest) }

  package static func invalid(_ code: Message.Code, _ text: MessageText) -> Refusal { .invalid(Message(code, text)) }

  /// Something cannot be read, written or processed.
  package static func failed(_ message: Message) -> Refusal { Refusal(message, .failed) }

  package static func failed(_ code: Message.Code, _ text: MessageText) -> Refusal { .failed(Message(code, text)) }

  /// The same request may succeed later.
  package static func temporary(_ message: Message) -> Refusal { Refusal(message, .temporary) }

  package static func temporary(_ code: Message.Code, _ text: MessageText) -> Refusal {
    .temporary(Message(code, text))
  }

  /// A warning of a strict request.
  package static func strict(_ message: Message) -> Refusal { Refusal(message, .failed, isStrict: true) }
}

/// Its text, with parameters named as in source code.
extension Refusal: CustomStringConvertible {
  public var description: String { message.text.description }
}

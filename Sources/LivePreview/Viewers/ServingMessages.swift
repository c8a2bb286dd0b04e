internal import Sessions

extension Message {
  /// The server has ended by itself, and nobody sees anything.
  static var serverEnded: Message { Message("server-ended", "The server has ended by itself.") }

  /// - Parameters:
  ///   - codec: What a stream, or a still, was to be.
  ///   - reason: Why it is not, as a sentence.
  static func streamNotEncoded(_ codec: String, reason: String) -> Message {
    Message("stream-not-encoded", "No stream of \(codec): \(reason)")
  }
}

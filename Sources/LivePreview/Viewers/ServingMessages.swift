internal import Sessions

extension Message {
  /// The server has ended unexpectedly, and nothing is visible.
  static var serverEnded: Message { Message("server-ended", "The server has ended by itself.") }

  /// - Parameters:
  ///   - codec: Codec of the stream or still.
  ///   - reason: Why it was not encoded, as a sentence.
  static func streamNotEncoded(_ codec: String, reason: String) -> Message {
    Message("stream-not-encoded", "No stream of \(codec): \(reason)")
  }
}

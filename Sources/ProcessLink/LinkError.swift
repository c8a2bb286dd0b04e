/// A reason why a message is not transferred.
public enum LinkError: Error, Sendable, Hashable {
  /// The message exceeds the reader's limit.
  case isTooLong(bytes: Int)
  /// The message is of unknown kind.
  case hasUnknownKind(UInt8)
  /// The lengths or JSON do not fit the kind.
  case isMalformed
  /// The other process exited in the middle of the message.
  case isTruncated
  /// The other process did not read in time; the channel is unusable.
  case timedOut
  /// The channel was closed, or has failed.
  case isClosed
  /// A system error: an `errno` value.
  case system(Int32)
}

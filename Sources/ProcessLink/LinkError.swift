/// Why a message does not arrive.
public enum LinkError: Error, Sendable, Hashable {
  /// It has more bytes than its reader takes.
  case isTooLong(bytes: Int)
  /// It is of no known kind.
  case hasUnknownKind(UInt8)
  /// Its lengths or its JSON are not those of its kind.
  case isMalformed
  /// The other process ended within it.
  case isTruncated
  /// The other process did not read in time; nothing can be sent any more.
  case timedOut
  /// The channel was closed, or failed before.
  case isClosed
  /// The system says why: a value of `errno`.
  case system(Int32)
}

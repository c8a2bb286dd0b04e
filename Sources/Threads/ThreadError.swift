internal import Glibc

/// Thread creation failed.
public struct ThreadError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error code, from `errno.h`.
  public let code: Int32

  public init(code: Int32) { self.code = code }

  public var description: String { "The system cannot create threads \(details)." }

  /// The reason and a remedy, as the end of a sentence.
  package var details: String {
    "(\(unsafe String(cString: strerror(code)))): raise its limits on memory and processes (ulimit -v, -u), or use fewer threads"
  }
}

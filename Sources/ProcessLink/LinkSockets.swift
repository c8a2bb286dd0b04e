internal import Glibc

/// Creates the two ends of a link, before one is passed to a child process.
public enum LinkSockets {
  /// Returns two connected stream sockets, which child processes do not inherit unless passed explicitly.
  public static func pair() throws(LinkError) -> (parent: Int32, child: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system(errno) }
    return (ends[0], ends[1])
  }
}

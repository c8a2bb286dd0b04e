internal import Glibc

/// The two ends of a link, before one is given to a process that is started.
public enum LinkSockets {
  /// Two connected stream sockets, which programs that are started do not inherit unless they are given one.
  public static func pair() throws(LinkError) -> (parent: Int32, child: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system(errno) }
    return (ends[0], ends[1])
  }
}

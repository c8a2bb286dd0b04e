import Foundation
import TestSupport

/// What the program asks the system for, as strace sees it.
struct Trace {
  let status: Int32
  let messages: String
  /// Paths that were opened, looked at or looked for.
  let paths: Set<String>
  /// Calls that make, bind or connect sockets.
  let sockets: [String]

  /// strace is there, and may look into other processes here.
  static let isPermitted: Bool = {
    let isPermitted = (try? Command.shell("strace -f -o /dev/null true 2>/dev/null")) == 0
    if !isPermitted { noteSkip("files that the program opens, as strace is missing or not permitted") }
    return isPermitted
  }()

  /// Runs the program with a line of the shell around it, in which `$headroom` stands for it.
  init(_ line: String, in scratch: Scratch) throws {
    let (trace, messages) = (scratch.path("trace"), scratch.path("trace.messages"))
    let program = "timeout -s KILL 60 strace -f -qq -e trace=%file,%network -o '\(trace)' '\(Command.url.path)'"
    let whole = line.replacingOccurrences(of: "$headroom", with: program)
    status = try Command.shell("cd '\(scratch.folder.path)' && { \(whole); } >/dev/null 2>'\(messages)'")
    self.messages = try String(contentsOfFile: messages, encoding: .utf8)
    let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").map(String.init)
    var (paths, sockets): (Set<String>, [String]) = ([], [])
    for call in calls {
      let name = call.split(separator: " ").dropFirst().first.map { $0.prefix { $0 != "(" } } ?? ""
      if ["socket", "bind", "connect", "sendto"].contains(name) {
        // Names of users are asked for of a service of this machine, where there is one.
        if !call.contains("AF_UNIX") { sockets.append(call) }
      } else if let path = call.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first {
        let isAbsolute = path.hasPrefix("/")
        paths.insert(isAbsolute ? String(path) : scratch.folder.appendingPathComponent(String(path)).path)
      }
    }
    (self.paths, self.sockets) = (paths, sockets)
  }

  /// Paths that are neither the system's nor the program's own, nor folders above what is allowed.
  func foreign(besides allowed: [String]) -> [String] {
    let system = [
      "/proc/", "/sys/", "/dev/", "/lib", "/usr/", "/etc/", "/opt/", "/var/run/nscd/", "/run/nscd/", "/selinux",
    ]
    let own = Command.url.deletingLastPathComponent().path
    return paths.filter { path in
      !path.isEmpty && !system.contains(where: path.hasPrefix) && !path.hasPrefix(own)
        && !allowed.contains { $0 == path || $0.hasPrefix(path == "/" ? path : path + "/") }
    }.sorted()
  }
}

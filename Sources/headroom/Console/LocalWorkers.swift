internal import Files
internal import Foundation
internal import Synchronization

/// This program's own file.
enum SystemProgram {
  /// Where it is, whatever it was started as.
  static var path: String { FileLocation.resolved("/proc/self/exe") }
}

/// The terminal that results go to.
enum Terminal {
  static var isOutput: Bool { isatty(STDOUT_FILENO) != 0 }

  /// Columns.
  static var width: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Processes of this program that work side by side: encoders of one process would share tables and memory.
final class LocalWorkers: Sendable {
  private let count: Int
  private let arguments: [String]
  private let processes = Mutex<[pid_t]>([])

  init(count: Int, arguments: [String]) { (self.count, self.arguments) = (count, arguments) }

  /// Runs them until all have ended. Signals are passed on.
  /// - Parameter isWhole: Whether what they were to do is done: one that failed may have been replaced by another.
  /// - Throws: The status of the first that failed.
  func run(_ isWhole: () throws -> Bool) throws {
    let interruption = Interruption(
      first: { [self] in signal(SIGTERM) }, second: { [self] in signal(SIGKILL) })
    defer { signal(SIGTERM) }
    for _ in 0..<count { try start() }
    var codes: [Int32] = []
    for process in processes.withLock({ $0 }) {
      codes.append(wait(for: process))
      // Its number may be another's from now on.
      processes.withLock { $0.removeAll { $0 == process } }
    }
    if let status = interruption.status { throw status }
    guard let code = codes.first(where: { $0 != 0 }), try !isWhole() else { return }
    throw ExitStatus(rawValue: code) ?? .failed
  }

  /// Names are bytes, which Foundation's processes would change.
  private func start() throws {
    let path = SystemProgram.path
    var words = unsafe ([path] + arguments).map { unsafe strdup($0.systemName) } + [nil]
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // A group of its own: the terminal's signals reach it once, through this process.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var process = pid_t()
    let code = unsafe posix_spawn(&process, path.systemName, &actions, &attributes, &words, environ)
    if code != 0 {
      throw CommandFailure(
        "Cannot start another process of this program: \(unsafe String(cString: strerror(code))).", .retry)
    }
    processes.withLock { $0.append(process) }
  }

  /// - Returns: The exit status, or 128 and the signal.
  private func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  private func signal(_ number: Int32) {
    for process in processes.withLock({ $0 }) { kill(process, number) }
  }
}

internal import Glibc
internal import Synchronization

/// A program that runs as a child process, started by its name as bytes.
///
/// It is in a separate process group: the terminal's signals reach it only through its parent.
public final class ChildProcess: Sendable {
  /// Standard input of the program.
  public enum Input: Sendable {
    /// Nothing.
    case nothing
    /// An open descriptor of this process, which stays open here.
    case descriptor(Int32)
  }

  /// The system could not start the process.
  public struct Failure: Error, Sendable, Hashable {
    /// A value of `errno`.
    public let code: Int32

    /// A value of `errno`.
    public init(code: Int32) { self.code = code }
  }

  private let identifier: pid_t
  /// Once set, the process id may be reused.
  private let hasEnded = Mutex(false)

  /// Starts a program.
  /// - Parameters:
  ///   - path: The program's file.
  ///   - arguments: Arguments after the program name.
  ///   - hasEnvironment: It inherits the environment; otherwise it has none.
  ///   - input: Standard input. It inherits all other descriptors that are not closed on exec.
  /// - Throws: If the system cannot start it.
  public init(
    _ path: String, _ arguments: [String] = [], hasEnvironment: Bool = true, input: Input = .nothing
  ) throws(Failure) {
    var words = unsafe ([path] + arguments).map { unsafe strdup($0.systemName) } + [nil]
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    switch input {
    case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // The duplicate has no close-on-exec flag.
    case .descriptor(let descriptor): unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var process = pid_t()
    var nothing = unsafe [UnsafeMutablePointer<CChar>?.none]
    let code = unsafe nothing.withUnsafeMutableBufferPointer { nothing in
      unsafe posix_spawn(
        &process, path.systemName, &actions, &attributes, &words, hasEnvironment ? environ : nothing.baseAddress)
    }
    if code != 0 { throw Failure(code: code) }
    identifier = process
  }

  /// Waits for the process to exit; call this once.
  /// - Returns: The exit status, or 128 and the signal.
  public func wait() -> Int32 {
    var (information, status) = unsafe (siginfo_t(), Int32(0))
    // The process id is not reused before the process is reaped.
    while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    hasEnded.withLock { hasEnded in
      hasEnded = true
      while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Sends a signal, unless the process has ended. From any thread.
  public func signal(_ number: Int32) {
    hasEnded.withLock { hasEnded in
      if !hasEnded { kill(identifier, number) }
    }
  }
}

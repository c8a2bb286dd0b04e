internal import Foundation

/// Runs a program that neither outlives its limit nor leaves processes behind, whatever hangs or spins.
///
/// Nothing of it is waited for but the program itself: output goes to a file, so that no helper can hold a pipe open;
/// it has a process group of its own, which is killed as one; and the system ends each of them after a minute of
/// computing, even where the test is no more.
enum LimitedProgram {
  private static let computingSeconds = 60
  private static let maximumFiles: Int32 = 1024

  /// - Parameters:
  ///   - arguments: The program, by its path, and what it is given.
  ///   - trace: A text that the arguments of all its processes have and no others: those that have left the group
  ///     are killed by it.
  ///   - output: File that standard output and error go to.
  /// - Returns: The exit status; nil where it was killed.
  static func run(_ arguments: [String], trace: String, output: String, seconds: Int) -> Int32? {
    // A process that may raise its priority can starve the one that is to end it: Chromium's threads have done so.
    let withoutPriority = geteuid() == 0 ? ["setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice"] : []
    let command =
      ["/bin/sh", "-c", "ulimit -t \(computingSeconds); exec \"$@\"", "sh"] + withoutPriority
      + ["nice", "-n", "10", "timeout", "-s", "KILL", "\(seconds)"]
    guard let process = spawn(command + arguments, output: output) else { return nil }
    defer { end(process, trace: trace) }
    // `timeout` should have killed it by then.
    return wait(for: process, seconds: Double(seconds) + 2)
  }

  /// Starts a program in a process group of its own, with no file of ours but the output.
  private static func spawn(_ command: [String], output: String) -> pid_t? {
    var attributes = posix_spawnattr_t()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawnattr_init(&attributes)
    unsafe posix_spawn_file_actions_init(&actions)
    defer {
      unsafe posix_spawnattr_destroy(&attributes)
      unsafe posix_spawn_file_actions_destroy(&actions)
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // Others' pipes among them, which would stay open for as long as it runs. Those that are not open are no error.
    for file in 3..<Self.maximumFiles { unsafe posix_spawn_file_actions_addclose(&actions, file) }
    var words = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let status = unsafe posix_spawn(&process, command[0], &actions, &attributes, &words, environ)
    return status == 0 ? process : nil
  }

  private static func wait(for process: pid_t, seconds: Double) -> Int32? {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      var status: Int32 = 0
      if unsafe waitpid(process, &status, WNOHANG) != 0 {
        // Ended by itself: no signal in the low bits.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
      }
      usleep(20_000)
    }
    return nil
  }

  private static func end(_ process: pid_t, trace: String) {
    kill(-process, SIGKILL)
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for number in processes.compactMap({ pid_t($0) }) where number != getpid() {
      guard let words = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") else { continue }
      if String(decoding: words, as: UTF8.self).contains(trace) { kill(number, SIGKILL) }
    }
    _ = wait(for: process, seconds: 2)
  }
}

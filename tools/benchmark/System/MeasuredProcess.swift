internal import Foundation

/// A program to run in the scratch folder, with its resource usage.
package struct MeasuredProcess {
  /// The resource usage of a run.
  package struct Usage {
    package var wallSeconds: Double
    /// User and system time.
    package var cpuSeconds: Double
    /// Peak resident set; at least that of this process, whose memory its children share until they call `exec`.
    package var peakMemoryMiB: Double
  }

  let program: String
  let arguments: [String]

  package init(program: String, arguments: [String]) {
    (self.program, self.arguments) = (program, arguments)
  }

  /// The command for messages.
  var command: String { ([program] + arguments).joined(separator: " ") }

  /// Runs the program without input, discarding its output.
  package func run(in scratch: Scratch) throws -> Usage {
    try run(in: scratch, outputName: nil)
  }

  /// Returns the program's standard output.
  func output(in scratch: Scratch) throws -> String {
    _ = try run(in: scratch, outputName: "output.txt")
    return try String(contentsOfFile: scratch.path("output.txt"), encoding: .utf8)
  }

  private func run(in scratch: Scratch, outputName: String?) throws -> Usage {
    try Signals.check()
    let log = scratch.path("errors.txt")
    let start = Clock.monotonic.now
    let child = try spawn(in: scratch.folder.path, output: outputName.map(scratch.path) ?? "/dev/null", errors: log)
    Signals.setChild(child)
    // Waits without reaping, so that a signal never kills a process that reuses the PID.
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let wall = Clock.monotonic.now - start
    Signals.setChild(nil)
    var status: Int32 = 0
    var used = rusage()
    guard unsafe wait4(child, &status, 0, &used) == child else {
      throw BenchmarkFailure("'\(program)' could not be waited for.")
    }
    try Signals.check()
    guard status == 0 else {
      let words = (try? String(contentsOfFile: log, encoding: .utf8))?.suffix(2000) ?? ""
      // The low seven bits of a wait status are the terminating signal.
      let ending = status & 0x7f == 0 ? "with status \(status >> 8)" : "by signal \(status & 0x7f)"
      throw BenchmarkFailure(
        "This command ended \(ending): \(command)\n" + words.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return Usage(
      wallSeconds: wall, cpuSeconds: used.cpuSeconds,
      peakMemoryMiB: Double(used.ru_maxrss) / 1024)
  }

  private func spawn(in folder: String, output: String, errors: String) throws -> pid_t {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    unsafe posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    unsafe posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

    // The child would inherit ignored signals.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGPIPE] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    // Relative names refer to the scratch folder, here and in filter arguments.
    let before = FileManager.default.currentDirectoryPath
    _ = FileManager.default.changeCurrentDirectoryPath(folder)
    defer { _ = FileManager.default.changeCurrentDirectoryPath(before) }
    var child: pid_t = 0
    let code = unsafe posix_spawnp(&child, program, &files, &attributes, &words, environ)
    guard code == 0 else {
      throw BenchmarkFailure("'\(program)' cannot be run: \(unsafe String(cString: strerror(code))).")
    }
    return child
  }
}

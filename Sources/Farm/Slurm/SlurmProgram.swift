internal import Files
internal import Glibc

/// Runs a program with limits on time and output.
package enum SlurmProgram {
  /// A program's output and exit status.
  package struct Answer: Sendable, Hashable {
    /// The exit status; 128 plus the signal if it was killed.
    package var status: Int32
    package var output: [UInt8]
    package var errors: [UInt8]

    package init(status: Int32 = 0, output: [UInt8] = [], errors: [UInt8] = []) {
      (self.status, self.output, self.errors) = (status, output, errors)
    }

    package var lines: [String] { output.split(separator: UInt8(ascii: "\n")).map { String(systemBytes: $0) } }
  }

  /// Returns the path of a program; nil if it is not in PATH.
  static func path(of name: String) -> String? {
    guard let value = unsafe getenv("PATH") else { return nil }
    return unsafe String(systemName: value).split(separator: ":").map { FileLocation.path(String($0), name) }
      .first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    guard FileStatus(path)?.kind == .regular else { return false }
    return unsafe access(path.systemName, X_OK) == 0
  }

  /// - Parameters:
  ///   - name: The name of a program in PATH.
  ///   - environment: Variables as "NAME=value".
  ///   - seconds: The time limit, after which it is killed.
  ///   - largest: Maximum bytes of output.
  package static func run(
    _ name: String, _ arguments: [String], environment: [String], seconds: Double, largest: Int
  ) throws(SlurmError) -> Answer {
    guard let path = path(of: name) else { throw .notInstalled(program: name) }
    let deadline = ContinuousClock.now + .seconds(seconds)
    let output = try pipe(for: name)
    let errors: Pipe
    do { errors = try pipe(for: name) } catch {
      output.closeBoth()
      throw error
    }
    defer {
      close(output.reading)
      close(errors.reading)
    }
    let (process, code) = spawn([path] + arguments, environment, output, errors)
    close(output.writing)
    close(errors.writing)
    guard code == 0 else { throw .cannotRun(program: name, code: code) }
    var streams = [PipeReader(output.reading), PipeReader(errors.reading)]
    let isRead = PipeReader.read(&streams, until: deadline, largest: largest)
    guard isRead, let status = wait(for: process, until: deadline) else {
      kill(-process, SIGKILL)
      _ = wait(for: process, until: .now + .seconds(2))
      if streams.contains(where: { $0.bytes.count > largest }) { throw .tooMuchOutput(program: name, limit: largest) }
      throw .timedOut(program: name, seconds: seconds)
    }
    return Answer(status: status, output: streams[0].bytes, errors: streams[1].bytes)
  }

  private struct Pipe {
    var reading: Int32
    var writing: Int32

    func closeBoth() {
      close(reading)
      close(writing)
    }
  }

  /// Creates a socket pair, which unlike a pipe cannot leak into a program started at the same moment.
  private static func pipe(for name: String) throws(SlurmError) -> Pipe {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .cannotRun(program: name, code: errno) }
    return Pipe(reading: ends[0], writing: ends[1])
  }

  /// Starts a program in a separate process group, which is killed as a whole, with no signal blocked or ignored.
  private static func spawn(
    _ words: [String], _ environment: [String], _ output: Pipe, _ errors: Pipe
  ) -> (process: pid_t, code: Int32) {
    var attributes = posix_spawnattr_t()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawnattr_init(&attributes)
    unsafe posix_spawn_file_actions_init(&actions)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    var arguments = unsafe words.map { unsafe strdup($0.systemName) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0.systemName) } + [nil]
    defer {
      unsafe posix_spawnattr_destroy(&attributes)
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe arguments.forEach { unsafe free($0) }
      unsafe variables.forEach { unsafe free($0) }
    }
    var process: pid_t = 0
    let code = unsafe posix_spawn(&process, words[0].systemName, &actions, &attributes, &arguments, &variables)
    return (process, code)
  }

  /// - Returns: nil if it is still running.
  private static func wait(for process: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
    while true {
      var status: Int32 = 0
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process {
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
      }
      // Other code of this program may have reaped it.
      if ended < 0, errno != EINTR { return 0 }
      if ContinuousClock.now >= deadline { return nil }
      usleep(2000)
    }
  }
}

/// Collects the output of a pipe until its other end is closed.
struct PipeReader {
  private(set) var bytes: [UInt8] = []
  private var descriptor: Int32
  private var isOpen = true

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Reads several pipes concurrently, so that none of them fills up.
  /// - Returns: Whether all have ended within the time and size limits.
  static func read(_ readers: inout [PipeReader], until deadline: ContinuousClock.Instant, largest: Int) -> Bool {
    while readers.contains(where: \.isOpen) {
      let left = deadline - .now
      guard left > .zero else { return false }
      var polled = readers.map { pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0) }
      let milliseconds = Int32(clamping: left.components.seconds * 1000 + 1)
      let count = unsafe poll(&polled, nfds_t(polled.count), min(milliseconds, 1000))
      if count < 0, errno != EINTR { return false }
      for index in readers.indices where count > 0 && polled[index].revents != 0 {
        readers[index].readBlock()
        if readers[index].bytes.count > largest { return false }
      }
    }
    return true
  }

  private mutating func readBlock() {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe block.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress!, $0.count) }
    if count > 0 {
      bytes += block[..<count]
    } else if count == 0 || errno != EINTR {
      isOpen = false
    }
  }
}

/// The environment for Slurm's programs.
package enum SlurmEnvironment {
  /// The environment of this process without the variables of its own job, which a submitted job would inherit, and
  /// without the user's output preferences for Slurm's programs.
  package static var current: [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      variables.append(unsafe String(systemName: variable))
      unsafe next += 1
    }
    return variables.filter(isPassedOn)
  }

  /// Variables that locate the cluster.
  private static let kept: Set<Substring> = ["SLURM_CONF", "SLURM_CONF_SERVER", "SLURM_JWT"]
  /// sbatch defaults that would change the meaning of a submission.
  private static let dropped: Set<Substring> = ["SBATCH_ARRAY_INX", "SBATCH_WAIT", "SBATCH_CLUSTERS"]
  private static let prefixes = ["SLURM_", "SLURMD_", "SQUEUE_", "SACCT_", "SINFO_", "SCANCEL_", "SCONTROL_"]

  package static func isPassedOn(_ variable: String) -> Bool {
    let name = variable.prefix { $0 != "=" }
    return kept.contains(name) || !(dropped.contains(name) || prefixes.contains(where: name.hasPrefix))
  }
}

internal import Glibc
internal import Files

/// The Slurm cluster of this machine, accessed through Slurm's programs.
public struct Slurm: Sendable {
  /// Runs a Slurm program; replaced in tests.
  package typealias Runner =
    @Sendable (_ program: String, _ arguments: [String]) throws(SlurmError) -> SlurmProgram.Answer

  /// The cluster's limits and features.
  public let configuration: SlurmConfiguration
  private let runner: Runner

  /// Queries the controller's configuration.
  /// - Throws: `SlurmError.notInstalled`, or `noReply` if the controller does not respond.
  public init() throws(SlurmError) { try self.init(running: Self.run) }

  /// - Parameter runner: A substitute for Slurm's programs.
  package init(running runner: @escaping Runner) throws(SlurmError) {
    self.runner = runner
    configuration = SlurmConfiguration(try Self.answer(runner, "scontrol", ["show", "config"]).lines)
  }

  /// Submits a script.
  /// - Parameters:
  ///   - script: The path of the script.
  ///   - arguments: The script's arguments.
  ///   - array: The tasks of an array; nil: a single job.
  ///   - dependency: A dependency in Slurm's syntax, such as "afterany:12".
  ///   - options: Options for sbatch.
  /// - Returns: The job ID.
  /// - Throws: `SlurmError.refuses` with the message of sbatch; `timedOut` after two minutes without a reply: the
  ///   job may still be in the queue.
  public func submit(
    script: String, arguments: [String] = [], array: ArraySpecification? = nil, dependency: String? = nil,
    options: [String] = []
  ) throws(SlurmError) -> String {
    if array != nil, configuration.maximumArraySize < 1 { throw .arraysDisabled }
    let words =
      ["--parsable"] + (array.map { ["--array=\($0.text)"] } ?? []) + (dependency.map { ["--dependency=\($0)"] } ?? [])
    let answer = try Self.checked(
      runner("sbatch", words + options + ["--", script] + arguments), of: "sbatch")
    // A site's plug-ins may print, too; with clusters, ";" and a name follow.
    let job = answer.lines.last { !$0.isEmpty }?.prefix { $0 != ";" } ?? ""
    guard !job.isEmpty, job.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw .invalidReply(program: "sbatch", answer: String(decoding: answer.output.prefix(200), as: UTF8.self))
    }
    return String(job)
  }

  /// Cancels jobs, including all tasks of arrays. Ignores jobs that have ended.
  /// - Parameter jobs: Job IDs.
  public func cancel(_ jobs: [String]) throws(SlurmError) {
    for start in stride(from: 0, to: jobs.count, by: 500) {
      _ = try ask("scancel", ["--"] + jobs[start..<min(start + 500, jobs.count)])
    }
  }

  /// Runs a Slurm program and returns its output.
  func ask(_ program: String, _ arguments: [String]) throws(SlurmError) -> SlurmProgram.Answer {
    try Self.answer(runner, program, arguments)
  }

  private static func answer(
    _ runner: Runner, _ program: String, _ arguments: [String]
  ) throws(SlurmError) -> SlurmProgram.Answer {
    try checked(runner(program, arguments), of: program)
  }

  /// Errors that indicate an unreachable controller: Slurm's communication errors (slurm_errno.c) and socket errors.
  private static let silenceMarks =
    [
      "unable to contact", "socket timed out", "unexpected message received", "zero bytes were transmitted",
      "communication connection failure", "communication shutdown failure", "message send failure",
      "message receive failure", "could not establish a configuration source", "protocol authentication error",
    ]
    + [
      ECONNREFUSED, ETIMEDOUT, ECONNRESET, ECONNABORTED, ENOTCONN, EPIPE, EHOSTUNREACH, EHOSTDOWN, ENETUNREACH,
      ENETDOWN,
    ].map { SlurmError.text($0).lowercased() }

  private static func checked(
    _ answer: SlurmProgram.Answer, of program: String
  ) throws(SlurmError) -> SlurmProgram.Answer {
    guard answer.status != 0 else { return answer }
    let lines = String(decoding: answer.errors.prefix(2000), as: UTF8.self).split(whereSeparator: \.isNewline)
    let errors = lines.filter { $0.contains("error: ") }.map {
      $0.trimmingPrefix("\(program): ").trimmingPrefix("error: ")
    }
    let said = (errors.isEmpty ? lines.suffix(1) : errors).joined(separator: "; ")
    let reason = said.isEmpty ? "exit status \(answer.status)" : String(said.prefix(400))
    let text = lines.joined(separator: " ").lowercased()
    if silenceMarks.contains(where: text.contains) { throw .noReply(reason: reason) }
    throw .refuses(program: program, reason: reason)
  }

  private static func run(_ program: String, _ arguments: [String]) throws(SlurmError) -> SlurmProgram.Answer {
    // sbatch retries by itself if the controller is busy.
    let seconds = program == "sbatch" ? 120.0 : 60
    return try SlurmProgram.run(
      program, arguments, environment: SlurmEnvironment.current, seconds: seconds, largest: 64 << 20)
  }
}

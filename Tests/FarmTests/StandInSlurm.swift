import Farm
import Synchronization

/// A queue in which nothing ever runs by itself.
final class StandInSlurm: Sendable {
  struct Job: Sendable {
    var id: String
    var name: String
    var command: String
    var tasks: [Int]
    var state = "PENDING"
  }

  struct State: Sendable {
    var jobs: [Job] = []
    var next = 100
    /// The words of each submission.
    var submissions: [[String]] = []
    /// Answers of sbatch in place of a number, by the count of submissions.
    var refusals: [Int: SlurmProgram.Answer] = [:]
    var configuration = "MaxArraySize = 1001\nSelectTypeParameters = CR_CORE_MEMORY\n"
    var nodes = "main*|8|32000\n"
    /// Answers of `scontrol show job`.
    var shown: [String: String] = [:]
  }

  let state = Mutex(State())

  func slurm() throws -> Slurm {
    try Slurm { [self] program, arguments in state.withLock { Self.answer(&$0, program, arguments) } }
  }

  /// Every job ends.
  func end() { state.withLock { $0.jobs = [] } }

  var submissions: [[String]] { state.withLock(\.submissions) }
  var jobs: [Job] { state.withLock(\.jobs) }

  private static func answer(_ state: inout State, _ program: String, _ arguments: [String]) -> SlurmProgram.Answer {
    switch program {
    case "sbatch": return submit(&state, arguments)
    case "scancel": state.jobs.removeAll { arguments.contains($0.id) }
    case "sinfo": return said(state.nodes)
    case "squeue":
      guard let filter = arguments.first(where: { $0.hasPrefix("--jobs=") }) else {
        return said(state.jobs.map { "\($0.id)|\($0.state)|\($0.name)|\($0.command)\n" }.joined())
      }
      let wanted = filter.dropFirst("--jobs=".count).split(separator: ",").map(String.init)
      let rows = state.jobs.filter { wanted.contains($0.id) }.flatMap { job in
        job.tasks.map { "\(job.id)|\($0)|\(job.state)|n/a|None\n" }
      }
      return rows.isEmpty && wanted.count == 1 ? unknown : said(rows.joined())
    case "scontrol" where arguments == ["show", "config"]: return said(state.configuration)
    case "scontrol": return state.shown[arguments.last ?? ""].map(said) ?? unknown
    default: break
    }
    return SlurmProgram.Answer()
  }

  private static func submit(_ state: inout State, _ arguments: [String]) -> SlurmProgram.Answer {
    state.submissions.append(arguments)
    if let refusal = state.refusals[state.submissions.count] { return refusal }
    func value(_ option: String) -> String? {
      arguments.last { $0.hasPrefix("--\(option)=") }.map { String($0.dropFirst(option.count + 3)) }
    }
    let tasks = value("array").flatMap { ArraySpecification.numbers(of: String($0.prefix { $0 != "%" })) }
    let command = arguments.drop { $0 != "--" }.dropFirst().joined(separator: " ")
    state.jobs.append(
      Job(id: "\(state.next)", name: value("job-name") ?? "", command: command, tasks: tasks ?? []))
    state.next += 1
    return said("\(state.next - 1)\n")
  }

  private static func said(_ text: String) -> SlurmProgram.Answer { SlurmProgram.Answer(output: Array(text.utf8)) }

  private static var unknown: SlurmProgram.Answer { refusal("slurm_load_jobs error: Invalid job id specified") }

  static func refusal(_ text: String) -> SlurmProgram.Answer {
    SlurmProgram.Answer(status: 1, errors: Array((text + "\n").utf8))
  }
}

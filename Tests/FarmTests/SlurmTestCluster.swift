import Farm
import Foundation
import Glibc
import TestSupport
import Testing

/// A cluster of two nodes on this machine, and a work folder whose program is a script.
final class SlurmTestCluster {
  static let tools = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("tools/slurm").path

  /// nil: why there can be none.
  static let obstacle: String? =
    if geteuid() != 0 {
      "not root"
    } else if let missing = ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/sbatch", "/usr/sbin/munged"].first(
      where: { !FileManager.default.isExecutableFile(atPath: $0) })
    {
      "there is no \(missing)"
    } else {
      nil
    }

  struct Failure: Error {
    let tool: String
    let status: Int32
  }

  let scratch: Scratch
  /// The work folder.
  let film: String
  private let place: String

  /// - Parameter name: Of the work folder.
  init(film name: String, environment: [String: String] = [:]) throws {
    scratch = try Scratch()
    place = scratch.path("cluster")
    film = scratch.path(name)
    for folder in ["chunks", "tries", "faults", "steps"] {
      try FileManager.default.createDirectory(atPath: "\(film)/\(folder)", withIntermediateDirectories: true)
    }
    try Data(Self.program.utf8).write(to: URL(fileURLWithPath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let size = ["HEADROOM_SLURM_CPUS": "2", "HEADROOM_SLURM_MEMORY": "4096"]
    try run("start", [], size.merging(environment) { $1 })
  }

  deinit { try? run("stop", []) }

  /// Runs a program of tools/slurm on the cluster.
  func run(_ tool: String, _ arguments: [String], _ environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(Self.tools)/\(tool)")
    process.arguments = [place] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let limit = TimeLimit(process)
    defer { limit.end() }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(tool: tool, status: process.terminationStatus)
    }
  }

  private var program: String { scratch.path("headroom, a stand-in") }

  /// Writes down that it was called, fails as the file faults/N says, once, and makes chunk N. What `assemble` does is a test of this
  /// binary, in the environment that Slurm gives it.
  private static let program = """
    #!/bin/sh
    case $1 in
      chunk)
        echo "$SLURM_JOB_ID $SLURM_RESTART_COUNT $SLURMD_NODENAME $SLURM_CPUS_PER_TASK" >>"$2/tries/$3"
        fault=$(cat "$2/faults/$3" 2>/dev/null)
        case $fault in
          always) exit 4 ;;
          *) rm -f "$2/faults/$3" ;;
        esac
        case $fault in
          killed) kill -9 $$ ;;
          slow) exec sleep 1000 ;;
        esac
        touch "$2/chunks/$3" ;;
      assemble)
        echo "step of job $SLURM_JOB_ID, $3"
        HEADROOM_SLURM_STEP=$2 exec \(ShellWords.quoted(executable)) --testing-library swift-testing --filter SlurmStepTests ;;
    esac

    """

  private static var executable: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  /// Slurm's programs with this cluster.
  func slurm() throws -> Slurm {
    let environment = SlurmEnvironment.current + ["SLURM_CONF=\(place)/slurm.conf"]
    return try Slurm { program, arguments throws(SlurmError) in
      try SlurmProgram.run(program, arguments, environment: environment, seconds: 120, largest: 1 << 26)
    }
  }

  @discardableResult
  func ask(_ program: String, _ arguments: [String]) throws -> String {
    let environment = SlurmEnvironment.current + ["SLURM_CONF=\(place)/slurm.conf"]
    let answer = try SlurmProgram.run(program, arguments, environment: environment, seconds: 120, largest: 1 << 26)
    return String(decoding: answer.output, as: UTF8.self)
  }

  /// Ends the controller; the nodes stay.
  func killController() throws {
    let number = try String(contentsOfFile: "\(place)/pids/slurmctld", encoding: .utf8)
    kill(try #require(pid_t(number.dropLast())), SIGKILL)
  }

  func submission(tries: Int = 3) throws -> SlurmSubmission {
    let settings = SlurmSettings(program: program, film: "A film: it's \"100%\"", maximumTries: tries)
    return try SlurmSubmission(folder: film, settings: settings, slurm: slurm())
  }

  /// What happens to a chunk the next time: "killed", "slow", or "always" fails.
  func plant(_ fault: String, in number: Int) throws {
    try Data(fault.utf8).write(to: URL(fileURLWithPath: "\(film)/faults/\(number)"))
  }

  /// A line for each time that a chunk's program was called: job, restarts, node, processors.
  func tries(of number: Int) -> [[String]] {
    let text = (try? String(contentsOfFile: "\(film)/tries/\(number)", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.components(separatedBy: " ") }
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(film)/\(name)") }

  /// What the steps have seen and decided, oldest first.
  var steps: [SlurmStepTests.Record] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(film)/steps")) ?? []
    return names.sorted { $0.localizedStandardCompare($1) == .orderedAscending }.compactMap { name in
      FileManager.default.contents(atPath: "\(film)/steps/\(name)").flatMap {
        try? JSONDecoder().decode(SlurmStepTests.Record.self, from: $0)
      }
    }
  }

  /// All that the jobs have said.
  var logs: String {
    let folder = "\(film)/slurm/log"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { "\($0): \((try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) ?? "")" }
      .joined(separator: "\n")
  }

  /// Waits until something is so.
  /// - Returns: false after many minutes.
  func wait(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(600)
    while ContinuousClock.now < end {
      if try condition() { return true }
      Thread.sleep(forTimeInterval: 0.2)
    }
    return false
  }

  func waitUntilQueueIsEmpty() throws -> Bool {
    try wait { try ask("squeue", ["--noheader"]).isEmpty }
  }
}

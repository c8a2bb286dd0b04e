import Farm
import Foundation
import TestSupport
import Synchronization
import Testing

/// What is submitted, and what is not, in a queue that stands still.
@Suite struct SlurmSubmissionTests {
  let scratch: Scratch
  let queue = StandInSlurm()

  init() throws { scratch = try Scratch() }

  private func submission(_ options: String = "", limit: Int? = nil, tries: Int = 3) throws -> SlurmSubmission {
    let settings = SlurmSettings(
      program: "/bin/headroom", film: "film", options: options, limit: limit, maximumTries: tries)
    return try SlurmSubmission(folder: scratch.folder.path, settings: settings, slurm: try queue.slurm())
  }

  let cost = PieceCost(peakMemory: 1000 << 20, seconds: 10, processorSeconds: 31)

  @Test func theFirstChunkIsMeasuredAlone() throws {
    let jobs = try submission().start(missing: [4, 2, 3], cost: nil)
    #expect(jobs == [SubmittedJob(job: "100", numbers: [2]), SubmittedJob(job: "101", numbers: [])])
    let (first, second) = (queue.submissions[0], queue.submissions[1])
    #expect(first.contains("--array=2") && first.contains("--requeue") && first.contains("--open-mode=append"))
    #expect(first.suffix(3) == ["--", scratch.path("slurm/piece.sh"), "0"])
    #expect(first.contains("--mem=16384M") && first.contains("--cpus-per-task=8"))
    #expect(second.contains("--dependency=afterany:100,singleton"))
    #expect(second.suffix(2) == ["--", scratch.path("slurm/assemble.sh")])
    #expect(!second.contains { $0.hasPrefix("--mem") })
  }

  @Test func theOthersGetWhatItTook() throws {
    let submission = try submission("--time=60 -A films", limit: 2)
    try submission.start(missing: [0, 1, 2, 3], cost: nil)
    queue.end()
    let step = try submission.proceed(missing: [1, 2, 3], cost: cost)
    #expect(step == .submitted([SubmittedJob(job: "102", numbers: [1, 2, 3]), SubmittedJob(job: "103", numbers: [])]))
    let words = queue.submissions[2]
    #expect(words.contains("--array=1-3%2") && words.contains("--mem=1506M") && words.contains("--cpus-per-task=4"))
    // The user's come last.
    #expect(words.drop { $0 != "--time=60" }.prefix(4) == ["--time=60", "-A", "films", "--"])
    queue.end()
    #expect(try submission.proceed(missing: [], cost: cost) == .assemble)
  }

  @Test func nothingIsSubmittedTwice() throws {
    let submission = try submission()
    try submission.start(missing: [0, 1, 2], cost: cost)
    #expect(try submission.start(missing: [0, 1, 2], cost: cost) == [])
    #expect(try submission.proceed(missing: [1], cost: cost) == .submitted([]))
    #expect(queue.submissions.count == 2)
    // One more is missing: it is submitted, and the job that runs after all replaces the other.
    let jobs = try submission.start(missing: [0, 1, 2, 7], cost: cost)
    #expect(jobs.map(\.numbers) == [[7], []])
    #expect(queue.jobs.map(\.id) == ["100", "102", "103"])
    #expect(queue.submissions[3].contains("--dependency=afterany:100:102,singleton"))
  }

  @Test func aLostFollowerIsReplaced() throws {
    let submission = try submission()
    try submission.start(missing: [0, 1], cost: cost)
    queue.state.withLock { $0.jobs.removeAll { $0.tasks.isEmpty } }
    #expect(try submission.start(missing: [0, 1], cost: cost).map(\.numbers) == [[]])
    #expect(queue.submissions.last?.contains("--dependency=afterany:100,singleton") == true)
  }

  /// The process may be killed between a submission and its record.
  @Test func jobsWithoutARecordAreFound() throws {
    let submission = try submission()
    try submission.start(missing: [0, 1], cost: cost)
    try FileManager.default.removeItem(atPath: scratch.path("slurm/jobs.jsonl"))
    #expect(try submission.entries().map(\.number) == [0, 1])
    #expect(try submission.start(missing: [0, 1], cost: cost) == [])
    #expect(try submission.cancel() == ["100", "101"])
    #expect(queue.jobs.isEmpty)
  }

  @Test func jobsAreFoundThatTheUserHasNamed() throws {
    let submission = try submission("--job-name=mine")
    try submission.start(missing: [1000, 1001, 1002], cost: cost)
    #expect(queue.jobs.map(\.name) == ["mine", "mine", "mine"])
    #expect(try submission.entries().map(\.number) == [1000, 1001, 1002])
    #expect(try submission.cancel().count == 3)
  }

  /// A path with a line break ends the line.
  @Test func jobsAreFoundByName() throws {
    let names = try submission().names
    let lines = [
      "12|PENDING|\(names.pieces(offset: 1001))|/a", "b/slurm/piece.sh 1001", "13|RUNNING|\(names.assembly)|/a",
    ]
    let jobs = try submission().queued(lines)
    #expect(jobs.map(\.array) == [SlurmArray(job: "12", offset: 1001), nil])
    #expect(jobs.map(\.job) == ["12", "13"])
  }

  @Test func jobsOfOthersAreLeftAlone() throws {
    let submission = try submission()
    let other = StandInSlurm.Job(
      id: "7", name: "film-0123456789abcdef-pieces", command: "/x/slurm/piece.sh 0", tasks: [0])
    queue.state.withLock { $0.jobs.append(other) }
    #expect(try submission.start(missing: [0], cost: cost).count == 2)
    #expect(try submission.cancel() == ["100", "101"])
    #expect(queue.jobs.map(\.id) == ["7"])
    for line in [
      "", "|||", "12|PENDING|x", "x|RUNNING|\(submission.names.assembly)|", "1 2|R|\(submission.names.assembly)|",
    ] {
      #expect(submission.queued([line]) == [])
    }
  }

  /// A program that cannot be started leaves no trace but the submission.
  @Test func roundsEndWhateverHappens() throws {
    let submission = try submission(tries: 2)
    try submission.start(missing: [0, 1], cost: cost)
    queue.end()
    guard case .submitted(let jobs) = try submission.proceed(missing: [0, 1], cost: cost) else {
      Issue.record("no second try")
      return
    }
    #expect(jobs.map(\.numbers) == [[0, 1], []])
    queue.end()
    #expect(try submission.proceed(missing: [0, 1], cost: cost) == .failed([0, 1]))
    // The user begins again: all tries again.
    #expect(try submission.start(missing: [0, 1], cost: cost).count == 2)
    queue.end()
    #expect(try submission.proceed(missing: [0, 1], cost: cost) != .failed([0, 1]))
  }

  @Test func triesOfTheFolderCount() throws {
    let submission = try submission()
    try submission.start(missing: [0, 1, 2], cost: cost)
    queue.end()
    // What can be rendered is rendered before the film fails.
    let step = try submission.proceed(missing: [1, 2], tries: { $0 == 1 ? 3 : 0 }, cost: cost)
    #expect(step == .submitted([SubmittedJob(job: "102", numbers: [2]), SubmittedJob(job: "103", numbers: [])]))
    queue.end()
    #expect(try submission.proceed(missing: [1], tries: { _ in 3 }, cost: cost) == .failed([1]))
    #expect(try submission.proceed(missing: [1, 2], tries: { $0 == 1 ? 3 : 0 }, cost: nil) == .failed([1]))
  }

  @Test func manyChunksBecomeSeveralArrays() throws {
    let submission = try submission(limit: 4)
    let jobs = try submission.start(missing: Array(0..<2500), cost: cost)
    #expect(jobs.map(\.numbers.count) == [1001, 1001, 498, 0])
    #expect(queue.submissions.map { $0.last ?? "" }.prefix(3) == ["0", "1001", "2002"])
    // No more than four at once in all of them.
    #expect(queue.submissions[1].contains("--dependency=afterany:100"))
    #expect(queue.submissions[3].contains("--dependency=afterany:100:101:102,singleton"))
    #expect(try submission.entries().map(\.number) == Array(0..<2500))
  }

  @Test func aLimitOfTheClusterLeavesTheRestForLater() throws {
    let text = "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, x)"
    queue.state.withLock { $0.refusals = [1: StandInSlurm.refusal(text)] }
    #expect(try submission().start(missing: Array(0..<10), cost: cost).map(\.numbers) == [[0, 1, 2, 3, 4], []])
  }

  @Test func aRefusalIsToldInItsWords() throws {
    let text =
      "sbatch: error: invalid partition specified: x\nsbatch: error: Batch job submission failed: Invalid partition"
    queue.state.withLock { $0.refusals = [1: StandInSlurm.refusal(text)] }
    let reason = "invalid partition specified: x; Batch job submission failed: Invalid partition"
    #expect(throws: SlurmError.refuses(program: "sbatch", reason: reason)) {
      try submission().start(missing: [0], cost: cost)
    }
    queue.state.withLock { $0.refusals = [2: SlurmProgram.Answer(output: Array("Submitted\n".utf8))] }
    #expect(throws: SlurmError.invalidReply(program: "sbatch", answer: "Submitted\n")) {
      try submission().start(missing: [0], cost: cost)
    }
  }

  @Test(arguments: [
    "slurm_load_ctl_conf error: Connection reset by peer", "slurm_load_ctl_conf error: Connection refused",
    "Unable to contact slurm controller (connect failure)", "Socket timed out on send/recv operation",
    "No route to host", "Broken pipe", "slurm_load_ctl_conf error: Transport endpoint is not connected",
  ])
  func aControllerThatDoesNotAnswerIsWorthTryingAgain(reason: String) throws {
    queue.state.withLock { $0.refusals = [1: StandInSlurm.refusal("sbatch: error: \(reason)\n")] }
    let error = SlurmError.noReply(reason: reason)
    #expect(error.isWorthRetrying)
    #expect(throws: error) { try submission().start(missing: [0], cost: cost) }
  }

  @Test func memoryThatWasNotEnoughIsDoubled() throws {
    let submission = try submission()
    try submission.start(missing: [0, 1], cost: cost)
    queue.end()
    let record = "JobId=1 ArrayJobId=100 ArrayTaskId=1\n   JobState=OUT_OF_MEMORY\n"
    queue.state.withLock { $0.shown["100"] = record }
    _ = try submission.proceed(missing: [1], cost: cost)
    #expect(queue.submissions[2].contains("--mem=3012M"))
  }

  @Test func settingsAreKeptForTheJobs() throws {
    let first = try submission("--comment='a b'", limit: 3)
    #expect(try SlurmSubmission(of: scratch.folder.path, slurm: try queue.slurm()) == nil)
    try first.start(missing: [0], cost: nil)
    let second = try #require(try SlurmSubmission(of: scratch.folder.path, slurm: try queue.slurm()))
    #expect(second.settings == first.settings && second.names == first.names)
    try Data("{".utf8).write(to: scratch.folder.appendingPathComponent("slurm/options.json"))
    #expect(throws: SlurmError.self) { try SlurmSubmission(of: scratch.folder.path, slurm: try queue.slurm()) }
  }

  @Test func aDamagedJournalIsReadAsFarAsItGoes() throws {
    let submission = try submission()
    try submission.start(missing: [0, 1], cost: cost)
    let path = scratch.path("slurm/jobs.jsonl")
    let whole = try String(contentsOfFile: path, encoding: .utf8)
    let damage =
      #"{"kind":"pieces","job":"-x"}"# + "\n[]\n\n\u{0}\n" + #"{"kind":"round","numbers":"9-"}"# + "\n{\"kind\":\"rou"
    try Data((whole + damage).utf8).write(to: URL(fileURLWithPath: path))
    #expect(try submission.entries().map(\.number) == [0, 1])
    queue.end()
    // What follows the broken line is whole.
    _ = try submission.proceed(missing: [1], cost: cost)
    let lines = try SlurmJournal(files: SlurmFiles(folder: scratch.folder.path)).lines()
    #expect(lines.rounds == [0: 1, 1: 2])
    #expect(lines.arrays == [SlurmArray(job: "100"), SlurmArray(job: "102")])
  }

  @Test func aFolderThatCannotBeWrittenSubmitsNothing() throws {
    let settings = SlurmSettings(program: "/bin/headroom", film: "film")
    let submission = try SlurmSubmission(folder: "/proc/none", settings: settings, slurm: try queue.slurm())
    #expect(throws: SlurmError.self) { try submission.start(missing: [0], cost: nil) }
    #expect(queue.submissions.isEmpty)
  }
}

internal import Files
internal import Foundation
internal import Glibc

/// A film rendered by Slurm: arrays of chunks, each followed by a job that submits the missing chunks again.
///
/// The queue is authoritative: jobs are found by names unique to the work folder, so that none is lost or submitted
/// twice if this process ends between a submission and its record.
public struct SlurmSubmission: Sendable {
  /// The work folder, with symbolic links resolved.
  public let folder: String
  /// The settings of the jobs.
  public let settings: SlurmSettings
  let slurm: Slurm
  let options: SlurmOptions
  package let names: SlurmNames
  let files: SlurmFiles
  let scripts: SlurmScripts

  static let optionsName = "options.json"
  static let pieceName = "piece.sh"
  static let assemblyName = "assemble.sh"

  var journal: SlurmJournal { SlurmJournal(files: files) }

  /// Creates a submission with the user's settings, without writing anything.
  /// - Throws: `SlurmError.invalidOptions` if the user's options are unusable.
  public init(folder: String, settings: SlurmSettings, slurm: Slurm) throws(SlurmError) {
    var settings = settings
    settings.program = Self.absolute(settings.program)
    settings.maximumTries = max(1, settings.maximumTries)
    settings.limit = settings.limit.map { max(1, $0) }
    let folder = Self.absolute(FileLocation.resolved(folder))
    (self.folder, self.settings, self.slurm) = (folder, settings, slurm)
    options = try SlurmOptions(settings.options)
    names = SlurmNames(film: settings.film, folder: folder)
    files = SlurmFiles(folder: folder)
    scripts = SlurmScripts(program: settings.program, folder: folder, film: settings.film)
  }

  /// The submission of a work folder, with its stored settings.
  /// - Returns: nil if the folder was not submitted to Slurm.
  /// - Throws: `SlurmError.cannotRead` if its settings are damaged.
  public init?(of folder: String, slurm: Slurm) throws(SlurmError) {
    let files = SlurmFiles(folder: folder)
    guard let bytes = try files.read(Self.optionsName, upTo: SlurmSettings.largest) else { return nil }
    guard let settings = JSONText.value(SlurmSettings.self, bytes) else {
      throw .cannotRead(path: files.path(Self.optionsName), reason: "it is damaged; submit the film again")
    }
    try self.init(folder: folder, settings: settings, slurm: slurm)
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileLocation.path(FileManager.default.currentDirectoryPath, path)
  }

  /// Starts the submission: submits missing chunks that are not in the queue, and the job that runs after them. Until a
  /// chunk has been measured, submits only the first one.
  /// - Parameters:
  ///   - missing: Missing chunks, in any order.
  ///   - cost: The cost of the most expensive piece so far.
  /// - Returns: The jobs; empty if all chunks are already in the queue.
  @discardableResult
  public func start(missing: [Int], cost: PieceCost?) throws(SlurmError) -> [SubmittedJob] {
    try files.create()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(settings) else { return [] }
    try files.write(Array(bytes) + [UInt8(ascii: "\n")], to: Self.optionsName)
    try journal.append(.init(.start))
    return try submit(missing, cost)
  }

  /// Continues when the submitted chunks have ended: submits missing ones again.
  /// - Parameters:
  ///   - missing: Missing chunks, in any order.
  ///   - tries: Returns the number of tries of a chunk; a submission counts as a try even if it left no trace.
  ///   - cost: The cost of the most expensive piece so far.
  public func proceed(
    missing: [Int], tries: (Int) -> Int = { _ in 0 }, cost: PieceCost?
  ) throws(SlurmError) -> Step {
    if missing.isEmpty { return .assemble }
    let rounds = try journal.lines().rounds
    let waiting = try Set(slurm.liveEntries(of: queuedJobs().compactMap(\.array)).map(\.number))
    let ended = missing.filter { !waiting.contains($0) }
    let spent = ended.filter { max(tries($0), rounds[$0] ?? 0) >= settings.maximumTries }
    let open = Set(missing).subtracting(spent)
    // If the first chunk keeps failing, the others would, too.
    if open.isEmpty || cost == nil && !spent.isEmpty && waiting.isEmpty { return .failed(spent.sorted()) }
    return .submitted(try submit(Array(open), cost))
  }

  /// The next step for a film.
  public enum Step: Sendable, Hashable {
    /// Nothing is missing: assemble.
    case assemble
    /// Chunks and a following job were submitted; empty if everything is in the queue.
    case submitted([SubmittedJob])
    /// These chunks have used up their tries.
    case failed([Int])
  }

  /// Removes the film's jobs from the queue.
  /// - Returns: The IDs of the removed jobs.
  @discardableResult
  public func cancel() throws(SlurmError) -> [String] {
    var cancelled: [String] = []
    // A running job may submit others before it ends.
    for _ in 0..<3 {
      let jobs = try queuedJobs().map(\.job).filter { !cancelled.contains($0) }
      if jobs.isEmpty { break }
      try slurm.cancel(jobs)
      cancelled += jobs
    }
    return cancelled
  }

  /// Returns the queue's state of the chunks, except those that Slurm no longer remembers.
  public func entries() throws(SlurmError) -> [QueueEntry] {
    let known = try journal.lines().arrays
    let others = try queuedJobs().compactMap(\.array).filter { found in !known.contains { $0.job == found.job } }
    return try slurm.entries(of: known + others)
  }

  /// A waiting or running job of this work folder.
  package struct QueuedJob: Sendable, Hashable {
    package var job: String
    package var state: String
    /// nil: the job that runs after the chunks.
    package var array: SlurmArray?
  }

  /// Returns the queued jobs of this work folder, except the current one.
  func queuedJobs() throws(SlurmError) -> [QueuedJob] {
    let format = "--format=%F|%T|%j|%o"
    let own = unsafe getenv("SLURM_JOB_ID").map { unsafe String(systemName: $0) }
    return try queued(slurm.ask("squeue", ["--noheader", "--user=\(getuid())", format]).lines).filter { $0.job != own }
  }

  /// - Parameter lines: Lines such as "12|PENDING|film-0123456789abcdef-pieces|/film/slurm/piece.sh 0".
  package func queued(_ lines: [String]) -> [QueuedJob] {
    var jobs: [QueuedJob] = []
    for line in lines {
      let fields = line.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4, !fields[0].isEmpty, fields[0].utf8.allSatisfy({ (48...57).contains($0) }) else {
        continue
      }
      guard !jobs.contains(where: { $0.job == fields[0] }) else { continue }
      if let offset = names.offset(of: fields[2]) ?? offset(ofCommand: fields[3]) {
        jobs.append(QueuedJob(job: fields[0], state: fields[1], array: SlurmArray(job: fields[0], offset: offset)))
      } else if fields[2] == names.assembly || fields[3].isSameName(as: files.path(Self.assemblyName)) {
        jobs.append(QueuedJob(job: fields[0], state: fields[1], array: nil))
      }
    }
    return jobs
  }

  /// Users may rename jobs; the script identifies ours.
  private func offset(ofCommand command: String) -> Int? {
    let script = files.path(Self.pieceName) + " "
    guard command.hasPrefix(script) else { return nil }
    return Int(command.dropFirst(script.count)).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Submits the chunks that are not in the queue, and a job that runs after all queued chunks.
  func submit(_ numbers: [Int], _ cost: PieceCost?) throws(SlurmError) -> [SubmittedJob] {
    let queue = try queuedJobs()
    let waiting = queue.compactMap(\.array)
    let inQueue = try Set(slurm.liveEntries(of: waiting).map(\.number))
    var open = numbers.filter { !inQueue.contains($0) }.sorted()
    if cost == nil { open = inQueue.isEmpty ? Array(open.prefix(1)) : [] }
    let followers = queue.filter { $0.array == nil }
    if open.isEmpty, !followers.isEmpty { return [] }
    try files.create()
    try files.write(scripts.piece.systemBytes, to: Self.pieceName, isProgram: true)
    try files.write(scripts.assembly.systemBytes, to: Self.assemblyName, isProgram: true)

    var jobs = try submitArrays(of: open, cost)
    let follower = try submitFollower(of: waiting.map(\.job) + jobs.map(\.job))
    jobs.append(SubmittedJob(job: follower, numbers: []))
    // These would run too early. A running one will find everything in the queue.
    try slurm.cancel(followers.filter { $0.state == "PENDING" }.map(\.job))
    return jobs
  }

  /// Returns the options of every job; the user's come last and take precedence.
  private func words(_ name: String, log: String, _ resources: [String] = []) -> [String] {
    [
      "--job-name=\(name)", "--chdir=\(folder)", "--output=\(scripts.output(log))", "--open-mode=append", "--requeue",
    ] + resources + options.words
  }

  private func submitArrays(of numbers: [Int], _ cost: PieceCost?) throws(SlurmError) -> [SubmittedJob] {
    let resources = numbers.isEmpty ? nil : try resources(for: numbers, cost)
    var jobs: [SubmittedJob] = []
    var rest = ArraySpecification.arrays(
      of: numbers, size: slurm.configuration.maximumArraySize, tasks: slurm.configuration.maximumArrayTasks,
      limit: settings.limit)
    while let array = rest.first {
      rest.removeFirst()
      do {
        // With a limit, an array starts after the previous one, because Slurm limits each array separately.
        let before = settings.limit == nil ? nil : jobs.last.map { "afterany:\($0.job)" }
        jobs.append(SubmittedJob(job: try submit(array, after: before, resources), numbers: array.numbers))
      } catch {
        // The cluster limits jobs per user: submits half of them now, the others in a later round.
        if Self.isLimit(error), jobs.isEmpty, array.numbers.count > 1 {
          rest = [array.firstHalf]
        } else if jobs.isEmpty {
          throw error
        } else {
          rest = []
        }
      }
    }
    return jobs
  }

  private static func isLimit(_ error: SlurmError) -> Bool {
    guard case .refuses(_, let reason) = error else { return false }
    return reason.contains("limit")
  }

  private func submit(
    _ array: ArraySpecification, after dependency: String?, _ resources: SlurmResources?
  ) throws(SlurmError) -> String {
    let requested = resources?.words(besides: options, in: slurm.configuration) ?? []
    try journal.append(.init(.round, numbers: array.numbers))
    let job = try slurm.submit(
      script: files.path(Self.pieceName), arguments: ["\(array.offset)"], array: array, dependency: dependency,
      options: words(names.pieces(offset: array.offset), log: "piece-%A_%a.log", requested))
    var line = SlurmJournal.Line(.pieces, job: job, numbers: array.numbers, offset: array.offset)
    (line.memory, line.processors) = (resources?.memory, resources?.processors)
    // The queue has the job's name, so it is not lost without this line.
    try? journal.append(line)
    return job
  }

  private func submitFollower(of jobs: [String]) throws(SlurmError) -> String {
    // `singleton`: one at a time, even if several were submitted.
    let after = jobs.isEmpty ? "" : "afterany:" + jobs.joined(separator: ":") + ","
    let job = try slurm.submit(
      script: files.path(Self.assemblyName), dependency: after + "singleton",
      options: words(names.assembly, log: "assemble-%j.log"))
    try? journal.append(.init(.assembly, job: job))
    return job
  }

  /// Returns the resources to request for chunks: from the cost of a piece, with twice the memory where that was
  /// insufficient.
  private func resources(for numbers: [Int], _ cost: PieceCost?) throws(SlurmError) -> SlurmResources {
    var minimum: Int?
    if slurm.configuration.countsMemory, !options.setMemory, let requested = try journal.lines().memory {
      let short = (try? entries())?.filter { $0.state == "OUT_OF_MEMORY" }.map(\.number) ?? []
      if !Set(short).isDisjoint(with: numbers) { minimum = requested * 2 }
    }
    let largest = try largestNode()
    let wanted = cost.map(SlurmResources.init) ?? (largest == nil ? .init(memory: nil, processors: nil) : .unknown)
    return wanted.atLeast(memory: minimum, within: largest)
  }

  private func largestNode() throws(SlurmError) -> LargestNode? {
    LargestNode(
      try slurm.ask("sinfo", ["--noheader", "--exact", "--format=%P|%c|%m"]).lines, partitions: options.partitions)
  }
}

/// A job that was submitted for a film.
public struct SubmittedJob: Codable, Hashable, Sendable {
  /// The job ID in Slurm's queue.
  public var job: String
  /// The chunks to render; empty: the job runs after them.
  public var numbers: [Int]

  /// Creates a job description.
  public init(job: String, numbers: [Int]) { (self.job, self.numbers) = (job, numbers) }
}

internal import Files

extension SlurmSubmission {
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
    let asked = resources?.words(besides: options, in: slurm.configuration) ?? []
    try journal.append(.init(.round, numbers: array.numbers))
    let job = try slurm.submit(
      script: files.path(Self.pieceName), arguments: ["\(array.offset)"], array: array, dependency: dependency,
      options: words(names.pieces(offset: array.offset), log: "piece-%A_%a.log", asked))
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
    var least: Int?
    if slurm.configuration.countsMemory, !options.setMemory, let asked = try journal.lines().memory {
      let short = (try? entries())?.filter { $0.state == "OUT_OF_MEMORY" }.map(\.number) ?? []
      if !Set(short).isDisjoint(with: numbers) { least = asked * 2 }
    }
    let largest = try largestNode()
    let wanted = cost.map(SlurmResources.init) ?? (largest == nil ? .init(memory: nil, processors: nil) : .unknown)
    return wanted.atLeast(memory: least, within: largest)
  }

  private func largestNode() throws(SlurmError) -> LargestNode? {
    LargestNode(
      try slurm.ask("sinfo", ["--noheader", "--exact", "--format=%P|%c|%m"]).lines, partitions: options.partitions)
  }
}

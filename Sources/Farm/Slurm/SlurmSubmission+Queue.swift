internal import Files
internal import Glibc

extension SlurmSubmission {
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
}

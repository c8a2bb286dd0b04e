internal import Farm
internal import Files
internal import Foundation
internal import Media
public import Sessions

extension Film {
  /// The film's submission to Slurm; nil if it was not submitted.
  fileprivate func submission() throws(SlurmError) -> SlurmSubmission? {
    guard FileStatus(folder.path(of: "slurm")) != nil else { return nil }
    return try SlurmSubmission(of: folder.path, slurm: Slurm())
  }

  /// Queue entries of the chunks; empty if the film was not submitted or the queue does not respond.
  var queueEntries: [QueueEntry] { (try? submission()?.entries()) ?? [] }

  /// Chunks without a valid piece.
  fileprivate func missing() throws(FarmError) -> [Int] {
    var numbers: [Int] = []
    for number in plan.chunks.indices {
      if let record = try folder.record(number), fault(record) == nil { continue }
      numbers.append(number)
    }
    return numbers
  }

  /// Cost of the most expensive piece so far; nil: none.
  fileprivate func cost() throws(FarmError) -> PieceCost? {
    var cost: PieceCost?
    for number in plan.chunks.indices {
      guard let record = try folder.record(number), record.frames > 0 else { continue }
      let memory = max(record.peakMemory, cost?.peakMemory ?? 0)
      let isBusier = record.processorSeconds / record.seconds > (cost.map { $0.processorSeconds / $0.seconds } ?? 0)
      cost = PieceCost(
        peakMemory: memory, seconds: isBusier ? record.seconds : cost?.seconds ?? record.seconds,
        processorSeconds: isBusier ? record.processorSeconds : cost?.processorSeconds ?? record.processorSeconds)
    }
    return cost
  }

  /// Stops all machines, and removes the film's jobs from the queue.
  /// - Returns: Number of pieces being rendered, and of jobs.
  /// - Throws: `FarmError`, `SlurmError`.
  public func cancel() throws -> (pieces: Int, jobs: Int) {
    let pieces = plan.chunks.indices.count { number in folder.claim(number).map { !$0.isExpired } ?? false }
    try folder.cancel()
    return (pieces, try submission()?.cancel().count ?? 0)
  }
}

extension Session {
  /// Submits a film to Slurm: its chunks, and a job that joins the pieces afterwards.
  /// - Parameters:
  ///   - film: The film.
  ///   - program: Path of this executable, valid on all machines.
  ///   - options: Options for sbatch.
  ///   - limit: Maximum number of chunks rendered in parallel.
  /// - Throws: `SlurmError`, `FarmError`.
  public func submit(_ film: Film, program: String, options: String?, limit: Int?) throws {
    let settings = SlurmSettings(
      program: program, film: FileLocation(film.plan.input.path).name, options: options ?? "", limit: limit,
      maximumTries: film.plan.maximumTries)
    let submission = try SlurmSubmission(folder: film.folder.path, settings: settings, slurm: Slurm())
    tell(try submission.start(missing: film.missing(), cost: film.cost()))
  }

  /// Resubmits chunks whose pieces are missing, with a job that continues afterwards.
  /// - Parameter film: A film that was submitted before.
  /// - Returns: false if nothing is missing.
  /// - Throws: `Refusal` if chunks have exhausted their tries, `SlurmError`, `FarmError`.
  public func resubmit(_ film: Film) throws -> Bool {
    guard let submission = try film.submission() else { return false }
    let step = try submission.proceed(missing: film.missing(), tries: film.countedTries, cost: film.cost())
    switch step {
    case .assemble: return false
    case .submitted(let jobs): tell(jobs)
    case .failed(let numbers): throw Refusal.failed(.triesExhausted(numbers, of: film))
    }
    return true
  }

  private func tell(_ jobs: [SubmittedJob]) {
    guard !jobs.isEmpty else { return note("all-in-queue", "All pieces are in the queue already.") }
    let (count, names) = (jobs.reduce(0) { $0 + $1.numbers.count }, jobs.map(\.job).joined(separator: ", "))
    note("jobs-submitted", "Submitted \(count.counting("piece")), in the jobs \(names).")
  }
}

extension Film {
  /// Returns the number of tries of a chunk that count.
  fileprivate func countedTries(_ number: Int) -> Int {
    let claim = folder.claim(number)
    return ((try? folder.tries(number)) ?? []).count { $0.counts(claim) }
  }
}

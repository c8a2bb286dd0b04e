internal import Farm
internal import Files
internal import Foundation
internal import Frames
internal import Media
public import Sessions

extension Film {
  /// Progress of a film: its pieces, and the output.
  public struct Status: Sendable {
    private var status: FarmStatus
    /// All pieces are rendered, and the output is complete.
    public let isComplete: Bool
    private let output: String

    fileprivate init(_ status: FarmStatus, _ film: Film) {
      self.status = status
      let assembled = film.folder.assembledOutput(of: film.checksum)
      output = assembled ?? film.plan.transcode.video.url
      isComplete = assembled != nil
      self.status.isAssembled = isComplete
    }

    /// Returns the status as lines for a terminal.
    /// - Parameter width: Columns.
    public func text(width: Int) -> String {
      let last =
        isComplete ? ["'\(output)' is complete."] : status.isComplete ? ["All pieces are there, to be joined."] : []
      return (status.lines(width: width) + last).joined(separator: "\n")
    }

    /// The status as a JSON object.
    public var json: String {
      String(decoding: status.json, as: UTF8.self)
    }

    /// The status as a self-contained HTML page.
    public var page: String { status.html }
  }

  /// Reads the work folder, and queries the queue if the film was submitted.
  /// - Throws: `FarmError` if the folder cannot be read.
  public func status() throws -> Status {
    Status(try FarmStatus(folder, outline, plan: checksum, queue: queueEntries), self)
  }

  private var outline: FilmOutline {
    let (base, video) = (plan.inputTimeBase.value, plan.transcode.video)
    let rate = video.frameRate?.value ?? 0
    let lengths = plan.chunks.indices.map { number in
      plan.end(of: number).map { Double($0 - plan.chunks[number].start) * base }
        ?? (rate > 0 ? Double(plan.chunks[number].count) / rate : 0)
    }
    return FilmOutline(
      name: FileLocation(plan.input.path).name, output: video.url, frames: plan.chunks.map(plan.outputFrames),
      seconds: lengths, framesPerSecond: rate, width: video.size.width, height: video.size.height,
      maximumTries: plan.maximumTries)
  }

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

  /// Returns the number of tries of a chunk that count.
  fileprivate func countedTries(_ number: Int) -> Int {
    let claim = folder.claim(number)
    return ((try? folder.tries(number)) ?? []).count { $0.counts(claim) }
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

internal import Files
internal import Foundation

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
  /// - Throws: `SlurmError.hasBadOptions` if the user's options are unusable.
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
    guard let settings = try? JSONDecoder().decode(SlurmSettings.self, from: Data(bytes)) else {
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
}

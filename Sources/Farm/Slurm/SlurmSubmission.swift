internal import Files
internal import Foundation

/// A film that Slurm renders: arrays of chunks, each with a job that runs when they have ended and submits what is missing then.
///
/// The queue is the truth: jobs are found in it by names that no other work folder has, so that none is lost if this process ends between a
/// submission and its record, and none is submitted twice.
public struct SlurmSubmission: Sendable {
  /// The work folder, with symbolic links resolved.
  public let folder: String
  /// What the jobs are submitted with.
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

  /// A submission with settings of the user; nothing is written yet.
  /// - Throws: `SlurmError.hasBadOptions` if the user's options cannot be used.
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

  /// The submission of a work folder, as it was begun.
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

  /// Begins: submits chunks that are missing and are not in the queue, and the job that runs after them. Without a chunk that has been
  /// measured, it is the first of them alone.
  /// - Parameters:
  ///   - missing: Chunks, in any order.
  ///   - cost: Of the most expensive piece so far.
  /// - Returns: The jobs; none if all is in the queue already.
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

  /// Goes on when the chunks that were submitted have ended: submits those that are missing again.
  /// - Parameters:
  ///   - missing: Chunks, in any order.
  ///   - tries: How often a chunk has been tried; a submission counts as a try even if it left no trace.
  ///   - cost: Of the most expensive piece so far.
  public func proceed(
    missing: [Int], tries: (Int) -> Int = { _ in 0 }, cost: PieceCost?
  ) throws(SlurmError) -> Step {
    if missing.isEmpty { return .assemble }
    let rounds = try journal.lines().rounds
    let waiting = try Set(slurm.liveEntries(of: queuedJobs().compactMap(\.array)).map(\.number))
    let ended = missing.filter { !waiting.contains($0) }
    let spent = ended.filter { max(tries($0), rounds[$0] ?? 0) >= settings.maximumTries }
    let open = Set(missing).subtracting(spent)
    // Where the first chunk fails every time, the others would not do better.
    if open.isEmpty || cost == nil && !spent.isEmpty && waiting.isEmpty { return .failed(spent.sorted()) }
    return .submitted(try submit(Array(open), cost))
  }

  /// What comes next in a film.
  public enum Step: Sendable, Hashable {
    /// Nothing is missing.
    case assemble
    /// Chunks were submitted, and a job that runs after them; none if they are all in the queue.
    case submitted([SubmittedJob])
    /// These chunks have used their tries.
    case failed([Int])
  }

  /// Removes the film's jobs from the queue.
  /// - Returns: Their numbers.
  @discardableResult
  public func cancel() throws(SlurmError) -> [String] {
    var cancelled: [String] = []
    // A job that runs may submit others before it ends.
    for _ in 0..<3 {
      let jobs = try queuedJobs().map(\.job).filter { !cancelled.contains($0) }
      if jobs.isEmpty { break }
      try slurm.cancel(jobs)
      cancelled += jobs
    }
    return cancelled
  }

  /// What the queue says about the chunks; those that Slurm no longer remembers are left out.
  public func entries() throws(SlurmError) -> [QueueEntry] {
    let known = try journal.lines().arrays
    let others = try queuedJobs().compactMap(\.array).filter { found in !known.contains { $0.job == found.job } }
    return try slurm.entries(of: known + others)
  }
}

internal import FFmpegIO
internal import Files
internal import Media
public import Sessions

/// An event during the conversion of a library. Films converted in parallel send their events in parallel.
public enum LibraryEvent: SessionEvent {
  /// A film has started; its number is its index in the plan, from 0.
  case began(LibraryPlan.Film, number: Int)
  /// An event of its conversion.
  case heard(LibraryPlan.Film, number: Int, FilmEvent)
  /// Its result.
  case ended(LibraryPlan.Film, number: Int, FilmResult)
  /// The conversion is about to start.
  case begins(LibraryPlan)
}

extension Session {
  /// Finds the films of a library without opening them.
  /// - Throws: `Refusal` for names that are missing, would be written twice, or are both input and output; for outputs
  ///   that exist, unless the request states how to treat them.
  public func plan(_ request: LibraryRequest) throws -> LibraryPlan {
    try request.validate()
    try request.transcode.coding.check(with: request.transcode.coding.namedEncoder)
    // Rejects an encoder that would fail every film before the first one starts.
    if let encoder = request.transcode.coding.namedEncoder { try Encoders.check(encoder) }
    if let suffix = request.suffix {
      _ = try MediaWriter.formatName(url: "film." + suffix, format: request.transcode.coding.format)
    }
    try checkFolder(request)
    let listing = try LibraryListing(request)
    try listing.checkNames()
    if let report = request.report, report != "-" {
      try OutputPath(report).check(reading: listing.films.map(\.input), overwrites: request.replacesReport)
      if let film = listing.films.first(where: { OutputPath(report).isSame(as: $0.output) }) {
        throw Refusal.invalid(.filmWouldBeReplaced(film.output, by: report))
      }
    }
    let existing = listing.films.filter { FileStatus($0.output)?.kind == .regular }
    if let first = existing.first, !request.skipsExisting, !request.transcode.overwrites {
      throw Refusal.failed(.outputsExist(first.output, count: existing.count))
    }
    // A film that was stopped and has its final name is not done.
    let done = request.skipsExisting ? Set(existing.filter { !FileMark.isOn($0.output) }) : []
    let plan = LibraryPlan(
      request: request, films: listing.films.filter { !done.contains($0) },
      existing: listing.films.filter(done.contains),
      unreadable: listing.unreadable, leftOut: listing.leftOut)
    warn(plan.unreadable.map { .folderNotReadable($0.folder, $0.reason) })
    for folder in plan.leftOut {
      let isOutput = FileLocation.resolved(folder) == FileLocation.resolved(request.folder)
      if isOutput {
        note("output-folder-skipped", "Skipping '\(folder)': it is the output folder.")
      } else {
        warn(
          "outside-folder-skipped",
          "Skipping '\(folder)': it is a link to a folder outside of the one that is searched. Name that folder to "
            + "convert its films.")
      }
    }
    return plan
  }

  private func checkFolder(_ request: LibraryRequest) throws(Refusal) {
    guard let path = MediaName.path(request.folder), !path.isEmpty else {
      throw .invalid(.outputFolderNeeded(request.folder))
    }
    let kind = FileStatus(path)?.kind
    // "transcode *.mkv -o joined.mkv" does not name a folder.
    let isFile = kind == nil && !path.hasSuffix("/") && LibraryListing.isFilm(path)
    if isFile || kind.map({ $0 != .folder }) ?? false {
      throw .invalid(.outputFolderNeeded(request.folder))
    }
  }

  /// Converts the films of a plan. A film that fails does not stop the others.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - makeJob: Creates the job of a film: a `SessionJob` in this process, or a `ProcessJob` in a separate one.
  /// - Returns: The result of each film, also after `cancel()`.
  /// - Throws: The error of the report.
  @discardableResult
  public func run(
    _ plan: LibraryPlan, by makeJob: @escaping @Sendable (FilmOrder) -> any FilmJob
  ) throws -> LibrarySummary {
    // The report may go into the folder.
    try? FileLocation.makeFolder(plan.request.folder)
    let file = try plan.request.report.flatMap {
      try $0 == "-" ? nil : OutputFile($0, replaces: plan.request.replacesReport)
    }
    let summary = LibraryRun(self, plan, makeJob).run()
    if let report = plan.request.report {
      let text = try LibraryReport(summary: summary, isCancelled: isCancelled).json() + "\n"
      try (file ?? OutputFile(report, replaces: true)).write(text)
    }
    return summary
  }
}

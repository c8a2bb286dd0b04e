internal import FFmpegIO
internal import Files
internal import Media
public import Sessions

/// What happens while the films of a library are converted. Films that are converted at the same time have their events at the same time.
public enum LibraryEvent: SessionEvent {
  /// A film is begun; its number is that of the plan, from 0.
  case began(LibraryPlan.Film, number: Int)
  /// What its conversion says.
  case heard(LibraryPlan.Film, number: Int, FilmEvent)
  /// What became of it.
  case ended(LibraryPlan.Film, number: Int, FilmResult)
  /// The films are about to be converted.
  case begins(LibraryPlan)
}

extension Session {
  /// Finds the films of a library. None is opened.
  /// - Throws: `Refusal` for names that are missing, would be written twice, or are read and written; for outputs that exist, unless the
  ///   request says what to do with them.
  public func plan(_ request: LibraryRequest) throws -> LibraryPlan {
    try request.validate()
    try request.transcode.coding.check(with: request.transcode.coding.namedEncoder)
    // What no film could be converted to is found out before the first.
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
    // One that was stopped, and has its own name, is not done.
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
    // "transcode *.mkv -o joined.mkv" does not mean a folder of this name.
    let isFile = kind == nil && !path.hasSuffix("/") && LibraryListing.isFilm(path)
    if isFile || kind.map({ $0 != .folder }) ?? false {
      throw .invalid(.outputFolderNeeded(request.folder))
    }
  }

  /// Converts the films of a plan. A film that fails does not keep others from being converted.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - makeJob: How a film is converted: by a `SessionJob` in this process, or by a `ProcessJob` in one of its own.
  /// - Returns: What became of each film, after `cancel()` as well.
  /// - Throws: The error of the report.
  @discardableResult
  public func run(
    _ plan: LibraryPlan, by makeJob: @escaping @Sendable (FilmOrder) -> any FilmJob
  ) throws -> LibrarySummary {
    // A report may be in it.
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

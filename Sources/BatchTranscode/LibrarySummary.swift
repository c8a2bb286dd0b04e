internal import Sessions

/// The results of a library run.
public struct LibrarySummary: Sendable {
  /// A film and its result; nil: not started.
  public struct Entry: Sendable, Hashable {
    /// The film.
    public let film: LibraryPlan.Film
    /// Its result.
    public let result: FilmResult?
  }

  /// Entries in the order of the plan.
  public let entries: [Entry]
  /// Films whose output existed before the run.
  public let existing: [LibraryPlan.Film]
  /// Wall-clock time in seconds.
  public let seconds: Double

  /// - Parameter others: Entries that are not films of the plan.
  init(_ plan: LibraryPlan, _ results: [Int: FilmResult], _ others: [Entry], seconds: Double) {
    entries = plan.films.enumerated().map { Entry(film: $1, result: results[$0]) } + others
    (existing, self.seconds) = (plan.existing, seconds)
  }

  private func count(_ matches: (FilmResult.Ending) -> Bool) -> Int {
    entries.count { $0.result.map { matches($0.ending) } ?? false }
  }

  /// Number of films converted.
  public var converted: Int { count { $0 == .converted } }
  /// Number of films that failed.
  public var failed: Int { count { if case .failed = $0 { true } else { false } } }
  /// Number of films that were stopped.
  public var stopped: Int { count { if case .stopped = $0 { true } else { false } } }
  /// Number of films that were not started.
  public var open: Int { entries.count { $0.result == nil } }
  /// Returns the number of films skipped for a reason.
  public func skipped(_ reason: FilmResult.Skip) -> Int {
    count { $0 == .skipped(reason) } + (reason == .exists ? existing.count : 0)
  }

  /// The disk ran out of space: the affected film, and films not started, may succeed later.
  public var isOutOfSpace: Bool { entries.contains { $0.result?.isOutOfSpace ?? false } }
}

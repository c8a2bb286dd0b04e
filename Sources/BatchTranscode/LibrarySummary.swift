internal import Sessions

/// What became of the films of a library.
public struct LibrarySummary: Sendable {
  /// A film, and what became of it; nil: it was not begun.
  public struct Entry: Sendable, Hashable {
    /// The film.
    public let film: LibraryPlan.Film
    /// What became of it.
    public let result: FilmResult?
  }

  /// In the order of the plan.
  public let entries: [Entry]
  /// Films whose output existed before.
  public let existing: [LibraryPlan.Film]
  /// Wall-clock time in seconds.
  public let seconds: Double

  /// - Parameter others: Entries that are no films of the plan.
  init(_ plan: LibraryPlan, _ results: [Int: FilmResult], _ others: [Entry], seconds: Double) {
    entries = plan.films.enumerated().map { Entry(film: $1, result: results[$0]) } + others
    (existing, self.seconds) = (plan.existing, seconds)
  }

  private func count(_ matches: (FilmResult.Ending) -> Bool) -> Int {
    entries.count { $0.result.map { matches($0.ending) } ?? false }
  }

  /// Films that were converted.
  public var converted: Int { count { $0 == .converted } }
  /// Films that failed.
  public var failed: Int { count { if case .failed = $0 { true } else { false } } }
  /// Films that were stopped.
  public var stopped: Int { count { if case .stopped = $0 { true } else { false } } }
  /// Films that were not begun.
  public var open: Int { entries.count { $0.result == nil } }
  /// Films that were skipped for a reason.
  public func skipped(_ reason: FilmResult.Skip) -> Int {
    count { $0 == .skipped(reason) } + (reason == .exists ? existing.count : 0)
  }

  /// No space was left for a film: it may succeed later, and so may those that were not begun.
  public var isOutOfSpace: Bool { entries.contains { $0.result?.isOutOfSpace ?? false } }
}

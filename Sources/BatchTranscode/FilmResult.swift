public import Media
public import Sessions

/// What became of a film.
public struct FilmResult: Sendable, Hashable, Codable {
  /// How it ended.
  public enum Ending: Sendable, Hashable, Codable {
    /// The output is complete.
    case converted
    /// Nothing was to be done, and why.
    case skipped(Skip)
    /// `cancel()` was called; the name of what was finished, if there is something.
    case stopped(partial: String?)
    /// Another run writes the output.
    case isWrittenElsewhere
    /// Why there is no output, in words.
    case failed(reason: String, FailureKind)
  }

  /// Why nothing was to be done.
  public enum Skip: String, Sendable, Hashable, Codable {
    /// The output exists.
    case exists
    /// The input is SDR.
    case isSDR
    /// The input has no video.
    case hasNoVideo
  }

  /// How it ended.
  public var ending: Ending
  /// What was done.
  public var progress: Session.Progress?
  /// The name of what was finished of an input that has changed.
  public var partial: String?
  /// Warnings that were given.
  public var warnings = 0
  /// No space was left for the output.
  public var isOutOfSpace = false
  /// The report as JSON, if the order asked for one.
  public var report: String?

  /// A result of which nothing but the ending is known.
  public init(_ ending: Ending) { self.ending = ending }
}

public import Media
public import Sessions

/// The result of converting a film.
public struct FilmResult: Sendable, Hashable, Codable {
  /// How it ended.
  public enum Ending: Sendable, Hashable, Codable {
    /// The output is complete.
    case converted
    /// Skipped, and why.
    case skipped(Skip)
    /// `cancel()` was called; the name of the partial output, if there is one.
    case stopped(partial: String?)
    /// Another run is writing the output.
    case isWrittenElsewhere
    /// The conversion failed: the reason in words, and its kind.
    case failed(reason: String, FailureKind)
  }

  /// Why a film was skipped.
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
  /// Final progress.
  public var progress: Session.Progress?
  /// Name of the partial output if the input changed during the conversion.
  public var partial: String?
  /// Number of warnings.
  public var warnings = 0
  /// The disk ran out of space for the output.
  public var isOutOfSpace = false
  /// The report as JSON, if the order requested one.
  public var report: String?

  /// A result with only an ending.
  public init(_ ending: Ending) { self.ending = ending }
}

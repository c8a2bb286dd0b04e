public import Sessions

/// A film of a library to convert, and how.
public struct FilmOrder: Sendable, Hashable, Codable {
  /// The transcode of this film. A report named "-" goes to the result.
  public var request: TranscodeRequest
  /// An SDR input is skipped.
  public var skipsSDR: Bool

  /// A film.
  public init(request: TranscodeRequest, skipsSDR: Bool) { (self.request, self.skipsSDR) = (request, skipsSDR) }
}

/// An event during the conversion of a film.
public enum FilmEvent: Sendable, Hashable, Codable {
  /// One-line summary of the plan.
  case planned(summary: String)
  /// A message and its severity.
  case message(Message, Message.Severity)
  /// Progress, sent twice a second.
  case progress(Session.Progress)
}

/// The conversion of one film.
public protocol FilmJob: Sendable {
  /// Converts the film; blocks. Call it once.
  /// - Parameter hear: Receives events, on any thread.
  func run(_ hear: @escaping @Sendable (FilmEvent) -> Void) -> FilmResult

  /// Cancels the conversion in order, from any thread: frames already read are finished.
  func cancel()

  /// Removes unfinished output before the process exits, from any thread.
  func discard()
}

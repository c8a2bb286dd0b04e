public import Sessions

/// A film of a library that is to be converted.
public struct FilmOrder: Sendable, Hashable, Codable {
  /// What is done. A report named "-" goes to the result.
  public var request: TranscodeRequest
  /// An SDR input is skipped.
  public var skipsSDR: Bool

  /// A film.
  public init(request: TranscodeRequest, skipsSDR: Bool) { (self.request, self.skipsSDR) = (request, skipsSDR) }
}

/// What happens while a film is converted.
public enum FilmEvent: Sendable, Hashable, Codable {
  /// What will be done, in one line.
  case planned(summary: String)
  /// Something to report.
  case message(Message, Message.Severity)
  /// Twice a second.
  case progress(Session.Progress)
}

/// The conversion of one film.
public protocol FilmJob: Sendable {
  /// Converts the film; blocks. To be called once.
  /// - Parameter hear: Gets what happens, from any thread.
  func run(_ hear: @escaping @Sendable (FilmEvent) -> Void) -> FilmResult

  /// Ends it in order, from any thread: what was read is finished.
  func cancel()

  /// Removes unfinished output, from any thread, for a process that is about to exit.
  func discard()
}

/// A sink that writes files, which appear when they are complete.
public protocol OutputSink: FrameSink {
  /// Bytes so far; from any thread.
  var bytesWritten: Int { get }

  /// Finishes and commits the output.
  /// - Returns: What the output is missing.
  /// - Throws: Why there is no output.
  func finish() throws -> OutputLosses

  /// The same for an output that was stopped early: a file gets a name that marks it as partial.
  /// - Parameter keepsName: The file gets its final name, and a mark.
  /// - Throws: Why there is no output.
  func finishPartial(keepsName: Bool) throws -> OutputLosses

  /// Removes unfinished output.
  func cancel()

  /// The same from any thread, while frames may still be written.
  func discard()
}

extension OutputSink {
  /// Streams and pictures have no partial name.
  public func finishPartial(keepsName: Bool) throws -> OutputLosses { try finish() }
}

/// What a finished output is missing.
public struct OutputLosses: Sendable {
  /// A sentence each.
  public var sentences: [String]
  /// Makes the run fail, although the output is kept.
  public var failure: (any Failure)?
  /// The name of a partial output; nil: the final name.
  public var partialName: String?

  /// By default nothing is missing.
  public init(_ sentences: [String] = [], failure: (any Failure)? = nil) {
    self.sentences = sentences
    self.failure = failure
  }
}

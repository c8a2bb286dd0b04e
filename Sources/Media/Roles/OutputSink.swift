/// A sink that makes files, which appear when they are whole.
public protocol OutputSink: FrameSink {
  /// Bytes so far; from any thread.
  var bytesWritten: Int { get }

  /// Finishes what was written and gives it its name.
  /// - Returns: What the output does not hold.
  /// - Throws: Why there is no output.
  func finish() throws -> OutputLosses

  /// Removes what is not finished.
  func cancel()

  /// The same from any thread, while frames may still be written.
  func discard()
}

/// What a finished output does not hold.
public struct OutputLosses: Sendable {
  /// A sentence each.
  public var sentences: [String]
  /// Without it the output is not what was asked for; what it holds is kept.
  public var failure: (any Failure)?

  /// By default the output holds everything.
  public init(_ sentences: [String] = [], failure: (any Failure)? = nil) {
    self.sentences = sentences
    self.failure = failure
  }
}

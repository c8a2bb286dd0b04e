public import Frames

/// A consumer of frames, in presentation order.
public protocol FrameSink: Sendable {
  /// Takes one frame. May block.
  /// - Throws: Why the frame cannot be taken. The fate of the pipeline's output determines what follows.
  func write(_ frame: CodedFrame) throws

  /// Takes passing data between two frames. May block.
  /// - Throws: Why the data cannot be taken.
  func pass(_ data: any PassingData) throws

  /// Stops the sink, because the run or this output has failed, or because the sink stalls when everything else is
  /// complete. From any thread. From then on, every call of `write(_:)` or `pass(_:)` returns or throws at once, even a
  /// blocked one; its error does not matter. The default does nothing: the run then waits for the call to return.
  func interrupt()
}

extension FrameSink {
  public func interrupt() {}
}

public import Frames

/// A consumer of frames, in presentation order.
public protocol FrameSink: Sendable {
  /// Takes one frame. May block.
  /// - Throws: Why the frame cannot be taken. The fate of the pipeline's output determines what follows.
  func write(_ frame: CodedFrame) throws

  /// Takes passing data that lies between two frames. May block.
  /// - Throws: Why the data cannot be taken.
  func pass(_ data: any PassingData) throws
}

public import Frames

/// Something that frames go to, in presentation order.
public protocol FrameSink: Sendable {
  /// Takes one frame. May block.
  /// - Throws: Why the frame cannot be taken. The fate of the pipeline's output decides what follows.
  func write(_ frame: CodedFrame) throws

  /// Takes data that passes by between two frames. May block.
  /// - Throws: Why the data cannot be taken.
  func pass(_ data: any PassingData) throws
}

public import Frames

/// Something that frames go to, in presentation order.
public protocol FrameSink: Sendable {
  /// Takes one frame. May block.
  func write(_ frame: CodedFrame) throws

  /// Takes data that passes by between two frames. May block.
  func pass(_ data: any PassingData) throws
}

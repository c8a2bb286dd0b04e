/// Something that frames come from, in presentation order.
public protocol FrameSource: Sendable {
  /// The next frame; nil at the end. May block.
  func readFrame() throws -> CodedFrame?
}

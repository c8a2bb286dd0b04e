/// Something that frames come from, in presentation order.
public protocol FrameSource: Sendable {
  /// The next frame and what passes before it; nil at the end. May block.
  func read() throws -> StreamItem?
}

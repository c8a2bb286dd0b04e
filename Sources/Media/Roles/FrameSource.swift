/// Something that frames come from, in presentation order.
public protocol FrameSource: Sendable {
  /// The next frame and what passes before it; nil at the end. May block.
  /// - Throws: Why there are no more frames.
  func read() throws -> StreamItem?

  /// Lets a call of `read()` that waits come back, from any thread: nothing more is wanted.
  func interrupt()
}

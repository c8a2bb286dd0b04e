/// A source of frames, in presentation order.
public protocol FrameSource: Sendable {
  /// The next frame and the data that precedes it; nil at the end. May block.
  /// - Throws: Why there are no more frames.
  func read() throws -> StreamItem?

  /// Makes a blocked call of `read()` return, from any thread: no more frames are needed.
  func interrupt()
}

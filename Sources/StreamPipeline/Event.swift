public import Frames

extension StreamPipeline {
  /// Something that happened during a run.
  public enum Event: Sendable {
    /// A rendered frame was not written, because the output's sink was too slow.
    case dropped(output: String, time: FrameTime)
    /// A frame from the live source was not rendered, because rendering was too slow or paused.
    case droppedBeforeRendering(time: FrameTime, format: PixelFormat)
    /// Frames were lost before the live source received them.
    case lost(count: Int, before: FrameTime)
    /// An optional output failed: its sink threw an error, or a frame could not be rendered for it. It is closed.
    case failed(output: String, error: any Error)
    /// The live source delivers nothing for now.
    case sourcePaused
    /// The live source delivers again.
    case sourceResumed
    /// A change was made; `before` is the first frame that it affects, or nil if no frame follows.
    case changed(String, before: FrameTime?)
    /// A change threw an error, and was not made.
    case changeFailed(String, error: any Error)
    /// `pause()` took effect; `after` is the last frame that was rendered, or nil if none was.
    case paused(after: FrameTime?)
    /// `step()` took effect: this frame is rendered although the pipeline is paused.
    case stepped(FrameTime)
    /// `resume()` took effect; `after` is the last frame that was rendered, or nil if none was.
    case resumed(after: FrameTime?)
    /// `cancel()` took effect; `after` is the last frame that was rendered, or nil if none was.
    case cancelled(after: FrameTime?)
  }
}

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
    /// The live source has paused delivery.
    case sourcePaused
    /// The live source has resumed delivery.
    case sourceResumed
    /// A change was made; `before` is the first affected frame; nil: no frame follows.
    case changed(String, before: FrameTime?)
    /// A change threw an error and was not made.
    case changeFailed(String, error: any Error)
    /// `pause()` took effect; `after` is the last rendered frame; nil: none.
    case paused(after: FrameTime?)
    /// `step()` took effect: this frame is rendered while the pipeline is paused.
    case stepped(FrameTime)
    /// `resume()` took effect; `after` is the last rendered frame; nil: none.
    case resumed(after: FrameTime?)
    /// `cancel()` took effect; `after` is the last rendered frame; nil: none.
    case cancelled(after: FrameTime?)
  }
}

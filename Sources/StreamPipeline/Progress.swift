public import Frames

extension StreamPipeline {
  /// The progress of a run.
  public struct Progress: Sendable, Hashable {
    /// One per output, in order.
    public var outputs: [OutputProgress]
    /// Seconds spent reading, which overlaps with rendering; 0 for a live source.
    public var reading = 0.0
    /// Seconds spent rendering.
    public var rendering = 0.0
    /// Frames that were lost before the live source received them.
    public var lost = 0
    /// Frames delivered by a live source but dropped before rendering.
    public var droppedBeforeRendering = 0
    /// State of the source.
    public var source = SourceState.nothingYet

    /// Creates progress at the start of a run.
    public init(outputs: [OutputProgress] = []) { self.outputs = outputs }

    /// Number of frames written by the first output.
    public var frames: Int { outputs.first?.frames ?? 0 }

    /// Time of the frame last written by the first output.
    public var time: FrameTime? { outputs.first?.time }

    /// Seconds spent writing, summed over all outputs. Outputs overlap, and overlap with reading and rendering.
    public var writing: Double { outputs.reduce(0) { $0 + $1.writing } }
  }

  /// The progress of one output.
  public struct OutputProgress: Sendable, Hashable {
    /// Same as `Output.name`; identifies the output in events and progress.
    public let name: String
    /// false after its sink has failed.
    public var isOpen = true
    /// Number of frames written.
    public var frames = 0
    /// Time of the frame last written.
    public var time: FrameTime?
    /// Frames dropped by the policy after rendering. Frames queued when a sink fails are not counted.
    public var dropped = 0
    /// Seconds spent writing.
    public var writing = 0.0
    /// Latency of a live source; nil: not live, or no frame written yet.
    public var latency: Latency?

    /// Creates progress at the start of a run for the output with this name.
    public init(name: String) { self.name = name }
  }

  /// Time from the arrival of a frame until it has been written.
  public struct Latency: Sendable, Hashable {
    /// Latency of the frame last written.
    public var last: Duration
    /// The maximum so far.
    public var largest: Duration
    /// Median latency, to a tenth of a millisecond up to two seconds.
    public var median: Duration
    /// 99th percentile of latency, with the same precision as the median.
    public var percentile99: Duration

    /// Creates latency from measured times.
    public init(last: Duration, largest: Duration, median: Duration, percentile99: Duration) {
      (self.last, self.largest, self.median, self.percentile99) = (last, largest, median, percentile99)
    }
  }

  /// The state of a source.
  public enum SourceState: Sendable, Hashable {
    /// A frame is ready to be rendered.
    case ready
    /// No frame is ready, but more may arrive at any time.
    case nothingYet
    /// The live source has reported that it has paused delivery.
    case paused
    /// No more frames.
    case ended
  }
}

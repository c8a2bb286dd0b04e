public import Frames

extension StreamPipeline {
  /// What has been done so far.
  public struct Progress: Sendable, Hashable {
    /// One for each output, in order.
    public var outputs: [OutputProgress]
    /// Seconds spent reading, which overlaps with rendering; 0 for a live source.
    public var reading = 0.0
    /// Seconds spent rendering.
    public var rendering = 0.0
    /// Frames that were lost before the live source received them.
    public var lost = 0
    /// Frames that a live source delivered but that were dropped before rendering.
    public var droppedBeforeRendering = 0
    /// What the source is doing.
    public var source = SourceState.nothingYet

    /// Nothing has been done yet.
    public init(outputs: [OutputProgress] = []) { self.outputs = outputs }

    /// Frames that the first output has written.
    public var frames: Int { outputs.first?.frames ?? 0 }

    /// Time of the frame that the first output wrote last.
    public var time: FrameTime? { outputs.first?.time }

    /// Seconds spent writing, summed over all outputs. Outputs overlap, and overlap with reading and rendering.
    public var writing: Double { outputs.reduce(0) { $0 + $1.writing } }
  }

  /// What has been done for one output.
  public struct OutputProgress: Sendable, Hashable {
    /// As in `Output.name`; events and progress use it.
    public let name: String
    /// false once its sink has failed.
    public var isOpen = true
    /// Frames that were written.
    public var frames = 0
    /// Time of the frame that was written last.
    public var time: FrameTime?
    /// Frames that were rendered and then dropped by the policy. Those that wait when a sink fails are not counted.
    public var dropped = 0
    /// Seconds spent writing.
    public var writing = 0.0
    /// For a live source, once a frame is written; otherwise nil.
    public var latency: Latency?

    /// Nothing has been done for the output of this name.
    public init(name: String) { self.name = name }
  }

  /// Time from the arrival of a frame until it was written.
  public struct Latency: Sendable, Hashable {
    /// That of the frame that was written last.
    public var last: Duration
    /// The maximum so far.
    public var largest: Duration
    /// Half of the frames were not later: within a tenth of a millisecond up to two seconds.
    public var median: Duration
    /// 99 % of the frames were not later, measured like the median.
    public var percentile99: Duration

    /// Takes the times as measured.
    public init(last: Duration, largest: Duration, median: Duration, percentile99: Duration) {
      (self.last, self.largest, self.median, self.percentile99) = (last, largest, median, percentile99)
    }
  }

  /// What a source is doing.
  public enum SourceState: Sendable, Hashable {
    /// A frame waits to be rendered.
    case ready
    /// Nothing waits to be rendered, but more may come at any time.
    case nothingYet
    /// The live source has said that it delivers nothing for now.
    case paused
    /// Nothing more comes.
    case ended
  }
}

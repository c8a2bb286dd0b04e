public import Frames
public import Media

extension StreamPipeline {
  /// An output of a pipeline: a sink and how it is served.
  public struct Output: Sendable {
    /// Identifies the output in events and progress; unique within a pipeline.
    public var name: String
    /// Destination of the frames. All calls come from one thread, which serves only this sink.
    public var sink: any FrameSink
    /// Behaviour if the sink is slower than rendering.
    public var policy: Policy
    /// Effect of a sink error on the run.
    public var fate: Fate
    /// Whether the sink receives passing data, such as audio packets.
    public var takesPassingData: Bool
    /// Converts a live frame on arrival to the frame to write, on the source's thread, so that pauses and slow
    /// rendering do not affect this output. If nil, or if it returns nil, the rendered frame is written. It must be
    /// quick, and should copy any data it keeps.
    public var tap: (@Sendable (CodedFrame) -> CodedFrame?)?

    /// Creates an output; by default, it writes every frame, ends the run if it fails, and takes passing data.
    public init(
      name: String, sink: any FrameSink, policy: Policy = .everyFrame, fate: Fate = .essential,
      takesPassingData: Bool = true
    ) {
      self.name = name
      self.sink = sink
      self.policy = policy
      self.fate = fate
      self.takesPassingData = takesPassingData
    }
  }

  /// Behaviour if a sink is slower than rendering. Passing data is never dropped.
  public enum Policy: Sendable, Hashable {
    /// The pipeline waits for the sink, and with it all other outputs. For files.
    case everyFrame
    /// A queued frame is replaced by the next one. For windows.
    case latest
    /// Up to this many frames are queued, at least 1; when full, each new frame drops one. For recording a live source.
    case buffered(Int, thenDrop: Dropping)

    /// Which frame a full buffer drops.
    public enum Dropping: Sendable, Hashable {
      /// The frame queued longest.
      case oldest
    }

    /// Maximum number of queued frames before one is dropped; nil: none is dropped.
    var limit: Int? {
      switch self {
      case .everyFrame: nil
      case .latest: 1
      case .buffered(let count, thenDrop: .oldest): count
      }
    }
  }

  /// Effect of a sink error on the run.
  public enum Fate: Sendable, Hashable {
    /// It ends the run, and `run` throws it.
    case essential
    /// It is reported as an event and closes the output. The run continues while another output is open.
    case optional
  }

  /// The result of rendering a frame for one output.
  public enum Rendered: Sendable {
    /// The frame to write.
    case frame(CodedFrame)
    /// Nothing to write for this frame.
    case nothing
    /// The frame could not be rendered for this output; treated like an error of its sink.
    case failed(any Error)

    /// The frame to write; nil: none.
    public var frame: CodedFrame? { if case .frame(let frame) = self { frame } else { nil } }
  }

  /// The outputs that are still open, by index in the pipeline's list.
  public struct OutputSet: Sendable, Hashable {
    private let states: [Bool]
    /// Whether the frame was rendered before and is shown again.
    public let isRedraw: Bool
    /// Whether `step()` let the frame through while the pipeline is paused.
    public let isStep: Bool
    /// Arrival time of a live frame; nil: from a file, let through by `step()`, or shown again.
    public let arrival: ContinuousClock.Instant?

    /// Creates a set from the state of each output.
    /// - Parameters:
    ///   - states: Whether each output is open.
    ///   - isRedraw: Whether the frame was rendered before.
    ///   - isStep: Whether the frame was let through while the pipeline is paused.
    ///   - arrival: Arrival time of a live frame.
    public init(
      _ states: [Bool], isRedraw: Bool = false, isStep: Bool = false, arrival: ContinuousClock.Instant? = nil
    ) {
      (self.states, self.isRedraw, self.isStep, self.arrival) = (states, isRedraw, isStep, arrival)
    }

    /// Number of outputs, open or closed.
    public var count: Int { states.count }

    /// Whether no output is open.
    public var isEmpty: Bool { !states.contains(true) }

    /// Whether output `index` is open.
    public func contains(_ index: Int) -> Bool { states[index] }
  }
}

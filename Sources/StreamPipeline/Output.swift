public import Frames
public import Media

extension StreamPipeline {
  /// One end of a pipeline: a sink and how it is served.
  public struct Output: Sendable {
    /// Identifies the output in events and progress; unique within a pipeline.
    public var name: String
    /// Where the frames go. All calls come from one thread, which serves only this sink.
    public var sink: any FrameSink
    /// What happens when the sink is slower than rendering.
    public var policy: Policy
    /// What an error of the sink means for the run.
    public var fate: Fate
    /// Whether the sink gets passing data, such as audio packets.
    public var takesPassingData: Bool
    /// Makes what is written from a frame of a live source as it arrives, on the source's thread: pauses and slow rendering cost this
    /// output nothing. nil, or where it returns nil: what rendering makes is written. It must be quick, and should copy what it keeps.
    public var tap: (@Sendable (CodedFrame) -> CodedFrame?)?

    /// Writes every frame, ends the run if it fails and takes passing data, unless stated otherwise.
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

  /// What happens when a sink is slower than rendering. Passing data is never dropped.
  public enum Policy: Sendable, Hashable {
    /// The pipeline waits for the sink, and with it all other outputs. For files.
    case everyFrame
    /// A frame that still waits is replaced by the next one. For windows.
    case latest
    /// Up to this many frames wait, at least 1; when full, each new frame drops one. For recording a live source.
    case buffered(Int, thenDrop: Dropping)

    /// Which frame a full buffer drops.
    public enum Dropping: Sendable, Hashable {
      /// The one that has waited longest.
      case oldest
    }

    /// Frames that may wait before one is dropped; nil: none is.
    var limit: Int? {
      switch self {
      case .everyFrame: nil
      case .latest: 1
      case .buffered(let count, thenDrop: .oldest): count
      }
    }
  }

  /// What an error of a sink means for the run.
  public enum Fate: Sendable, Hashable {
    /// It ends the run, and `run` throws it.
    case essential
    /// It is reported as an event and closes the output. The run goes on while another output is open.
    case optional
  }

  /// What rendering makes of one frame for one output.
  public enum Rendered: Sendable {
    /// The frame to write.
    case frame(CodedFrame)
    /// The output gets nothing this time.
    case nothing
    /// The frame could not be rendered for this output: the same as an error of its sink.
    case failed(any Error)

    /// The frame to write, if there is one.
    public var frame: CodedFrame? { if case .frame(let frame) = self { frame } else { nil } }
  }

  /// Which outputs are still open, by their index in the list that the pipeline was made with.
  public struct OutputSet: Sendable, Hashable {
    private let states: [Bool]
    /// The frame was rendered before, and is shown again.
    public let isRedraw: Bool
    /// The frame was let through by `step()` while the pipeline is paused.
    public let isStep: Bool
    /// When a live source has received the frame; nil: it was read, let through by `step()`, or is shown again.
    public let arrival: ContinuousClock.Instant?

    /// The set by the state of each output.
    /// - Parameters:
    ///   - states: Whether each output is open.
    ///   - isRedraw: The frame was rendered before.
    ///   - isStep: The frame was let through while the pipeline is paused.
    ///   - arrival: When a live source has received the frame.
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

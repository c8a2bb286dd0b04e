public import Frames

extension FrameRenderer {
  /// What a picture is rendered from or to.
  public struct Endpoint: Sendable, Hashable, Codable {
    /// Size, layout and colour of the frames.
    public var format: PixelFormat
    /// The way between the signal and linear light.
    public var transfer: SignalTransfer
    /// The largest signal that a target codes: above 1 where its super-white is that of the source. Of sources every code
    /// counts.
    public var reach: Double

    /// `reach` is at least 1; less is a programming error and traps.
    public init(format: PixelFormat, transfer: SignalTransfer, reach: Double = 1) {
      precondition(reach >= 1)
      self.format = format
      self.transfer = transfer
      self.reach = reach
    }
  }

  /// One of the ends of a rendering: what happens to the light of the trunk, and what it ends as.
  public struct Output: Sendable {
    /// What the light ends as.
    public enum End: Sendable, Hashable, Codable {
      /// Planar samples. Eight-bit samples are dithered where `dithers` says so; deeper ones never are.
      case coded(Endpoint, dithers: Bool = true)
      /// Linear half float.
      case linear
      /// Nothing: the stages count it.
      case counted
    }

    /// What happens to the light, in order, for this output alone.
    public var stages: [any Stage]
    /// What the light ends as after the stages.
    public var end: End
    /// How the picture is turned before the stages. Light is turned and not samples, as chroma sited on the top left
    /// would come to lie on the top right.
    public var orientation: Orientation

    /// No stages and no turn unless stated.
    public init(stages: [any Stage] = [], end: End, orientation: Orientation = .identity) {
      self.stages = stages
      self.end = end
      self.orientation = orientation
    }
  }

  /// Where one output of one frame goes.
  public enum Destination: Sendable {
    /// For a coded output: a frame of its format.
    case coded(CodedFrame)
    /// For a linear output: a frame of the size of the source, turned as the output says.
    case linear(LinearFrame)
    /// For a counted output.
    case counted
    /// Not wanted this time: its stages do not run either.
    case skipped

    var isSkipped: Bool { if case .skipped = self { true } else { false } }

    /// The part of it that one field goes to.
    func field(_ field: Field) -> Destination {
      if case .coded(let frame) = self { .coded(frame.field(field)) } else { self }
    }
  }
}

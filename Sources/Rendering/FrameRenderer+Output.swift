internal import ColorScience
public import Frames

extension FrameRenderer {
  /// The source or target of a rendering.
  public struct Endpoint: Sendable, Hashable, Codable {
    /// Size, layout and colour of the frames.
    public var format: PixelFormat
    /// The conversion between signal and linear light.
    public var transfer: SignalTransfer
    /// The largest signal that a target codes: above 1 if it keeps the source's super-white. For sources, every code is
    /// used.
    public var reach: Double

    /// Creates an endpoint; `reach` must be at least 1.
    public init(format: PixelFormat, transfer: SignalTransfer, reach: Double = 1) {
      precondition(reach >= 1)
      self.format = format
      self.transfer = transfer
      self.reach = reach
    }

    /// Whether the same code values have the same light in another endpoint, however samples are packed.
    public func codes(as other: Endpoint) -> Bool {
      let (layout, own, its) = (format.layout, format.color, other.format.color)
      guard format.size == other.format.size, layout.planar == other.format.layout.planar, layout.samples == .integer,
        transfer == other.transfer, own.range == its.range
      else { return false }
      if layout.components == .rgb || layout.components == .gray { return true }
      let (site, other): (SIMD2, SIMD2) = (own.chromaLocation.offset, its.chromaLocation.offset)
      return own.matrix == its.matrix && (layout.chromaShiftX == 0 || site.x == other.x)
        && (layout.chromaShiftY == 0 || site.y == other.y)
    }
  }

  /// One output of a rendering: stages applied to the light of the trunk, and the form of the result.
  public struct Output: Sendable {
    /// The form of the result.
    public enum End: Sendable, Hashable, Codable {
      /// Planar samples. Eight-bit samples are dithered if `dithers` is true; deeper ones never are.
      case coded(Endpoint, dithers: Bool = true)
      /// Planar samples with the code values of the source, which the endpoint shares (`Endpoint.codes(as:)`); only
      /// samples under an overlay are recoded. Stages may only count, and the picture is not rotated.
      case copied(Endpoint)
      /// Linear half float.
      case linear
      /// No pixels: stages only count.
      case counted

      /// The endpoint of coded samples; nil for light.
      var endpoint: Endpoint? {
        switch self {
        case .coded(let target, _), .copied(let target): target
        case .linear, .counted: nil
        }
      }
    }

    /// Stages of this output only, in order.
    public var stages: [any Stage]
    /// The form of the result.
    public var end: End
    /// Rotation of the picture before the stages. Light is rotated rather than samples, because top-left sited chroma
    /// would become top-right sited.
    public var orientation: Orientation

    /// Creates an output; without stages and rotation by default.
    public init(stages: [any Stage] = [], end: End, orientation: Orientation = .identity) {
      self.stages = stages
      self.end = end
      self.orientation = orientation
    }
  }

  /// The destination of one output of one frame.
  public enum Destination: Sendable {
    /// For samples: a frame of the output's format, and the overlay blended over it. If codes are copied, the source
    /// frame is unchanged.
    case coded(CodedFrame, under: LightOverlay? = nil)
    /// For a linear output: a frame of the size of the source, after the output's rotation.
    case linear(LinearFrame)
    /// For a counted output.
    case counted
    /// Not needed for this frame: the output's stages do not run either.
    case skipped

    var isSkipped: Bool { if case .skipped = self { true } else { false } }

    var overlay: LightOverlay? { if case .coded(_, let overlay) = self { overlay } else { nil } }

    /// Returns the part of the destination for one field.
    func field(_ field: Field) -> Destination {
      if case .coded(let frame, let overlay) = self { .coded(frame.field(field), under: overlay) } else { self }
    }
  }
}

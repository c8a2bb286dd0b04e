internal import ColorScience
internal import Filters
public import Frames
public import Media
internal import Rendering
public import StreamPipeline
internal import ToneMapping

extension Session {
  /// An output beside that of a plan, such as a window that shows in SDR what is recorded in HDR10.
  ///
  /// Its frames have the size and the rotation of the plan's, with what filters draw beside them, the colour tags of its
  /// mapping, and their times.
  public struct SideOutput: Sendable {
    /// Identifies the output in events and changes; unique within a run, and not `mainOutput`.
    public var name: String
    /// Where the frames go; they carry no HDR metadata. An `OutputSink` is finished at the end.
    public var sink: any FrameSink
    /// How light is mapped to the output's display.
    public var mapping = MappingRequest()
    /// How frames are rendered.
    public var rendering = RenderingRequest()
    /// Filters as `NAME=key=value:key=value`, in order.
    public var filters: [String] = []
    /// Layout of the frames: planar code values; nil: 4:2:0, 8-bit for SDR and 10-bit for HDR.
    public var layout: PixelLayout?
    /// What happens when the sink is slower than rendering.
    public var policy = StreamPipeline.Policy.latest
    /// What an error of the sink means for the run.
    public var fate = StreamPipeline.Fate.optional

    /// SDR with the default curve, of which a slow sink gets the latest frame; an error of the sink is an event.
    public init(name: String, sink: any FrameSink) {
      self.name = name
      self.sink = sink
    }
  }

  /// The name of a plan's own output.
  public static let mainOutput = "output"
}

extension Session.SideOutput {
  /// As an end of a pipeline. Passing data goes to the plan's own output.
  var output: StreamPipeline.Output {
    StreamPipeline.Output(name: name, sink: sink, policy: policy, fate: fate, takesPassingData: false)
  }

  /// How the output is rendered.
  /// - Parameter geometry: How the pictures are rotated.
  /// - Throws: `Refusal` for values out of range, `FilterFailure`.
  func settings(_ geometry: GeometryPlan) throws -> OutputSettings {
    try mapping.validate()
    try rendering.validate(with: mapping)
    if let layout, layout.packing != .planar || layout.samples != .integer || layout.name == nil {
      throw Refusal.invalid(.noPixelFormat(layout))
    }
    return OutputSettings(
      mapping: mapping, rendering: rendering, filters: try Filter.parsed(filters),
      target: { [layout, rendering] source, size, mapping, filters in
        var plan = try TargetPlan(source, mapping, filters: filters)
        let layout = layout ?? (plan.keepsCoding ? source.layout.planar : .common(for: plan.color))
        plan.code(as: layout, of: source)
        let picture = geometry.orientation.rotated(size)
        let format = PixelFormat(
          size: Filter.frameSize(filters, picture: picture), layout: layout, color: plan.color)
        return RenderTarget(
          plan, format, picture: picture, orientation: geometry.orientation, dithers: rendering.dithers,
          limit: plan.limit)
      })
  }

  /// Refuses outputs that a pipeline does not accept.
  static func check(_ outputs: [Session.SideOutput]) throws(Refusal) {
    var names: Set = [Session.mainOutput]
    for output in outputs {
      guard names.insert(output.name).inserted else {
        throw .invalid("output-name-taken", "Two outputs are called '\(output.name)'.")
      }
      if case .buffered(let count, _) = output.policy, count < 1 {
        throw .invalid("output-buffer-empty", "The buffer of the output '\(output.name)' has no room for a frame.")
      }
    }
  }
}

extension PixelLayout {
  /// The layout that players of video expect: 4:2:0, 8-bit for SDR and 10-bit for HDR.
  package static func common(for color: ColorDescription) -> PixelLayout {
    PixelLayout(.ycbcr420, bitDepth: color.transfer == .bt709 ? 8 : 10)
  }
}

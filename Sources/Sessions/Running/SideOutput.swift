internal import ColorScience
internal import Filters
public import Frames
public import Media
internal import Rendering
public import StreamPipeline
internal import ToneMapping

extension Session {
  /// An output beside that of a plan, such as a window that shows in SDR what is recorded in HDR10.
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
    /// Layout of the frames; nil: 4:2:0, 8-bit for SDR and 10-bit for HDR.
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
  /// - Parameter picture: Size of the picture after the rotation.
  /// - Throws: `Refusal` for values out of range, `FilterFailure`.
  func rendition(picture: Size, _ orientation: Orientation) throws -> Rendition {
    try mapping.validate()
    try rendering.validate(with: mapping)
    return Rendition(
      mapping: mapping, filters: try Filter.parsed(filters),
      use: { [rendering] in rendering.dynamicMetadataUse(for: $0) },
      target: { [layout, rendering] source, mapping, filters in
        var plan = try TargetPlan(source, mapping, paints: !filters.isEmpty)
        let layout = layout ?? PixelLayout(.ycbcr420, bitDepth: plan.color.transfer == .bt709 ? 8 : 10)
        plan.code(as: layout)
        let format = PixelFormat(
          size: Filter.frameSize(filters, picture: picture), layout: layout, color: plan.color)
        return RenderTarget(
          plan, format, picture: picture, orientation: orientation, dithers: rendering.dithers, limit: plan.limit)
      })
  }
}

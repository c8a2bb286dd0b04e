internal import ColorScience
internal import Filters
public import Frames
public import Media
internal import Rendering
public import StreamPipeline
internal import ToneMapping

extension Session {
  /// An output beside a plan's own, such as a window that shows in SDR what is recorded in HDR10.
  ///
  /// Its frames have the plan's size, rotation and times, filter drawings beside them, and its mapping's colour tags.
  public struct SideOutput: Sendable {
    /// Identifies the output in events and changes; unique within a run, and not `mainOutput`.
    public var name: String
    /// Destination of the frames, which carry no HDR metadata. An `OutputSink` is finished at the end.
    public var sink: any FrameSink
    /// Light mapping to the output's display.
    public var mapping = MappingRequest()
    /// Rendering options.
    public var rendering = RenderingRequest()
    /// Filters as `NAME=key=value:key=value`, in order.
    public var filters: [String] = []
    /// Layout of the frames: planar code values; nil: 4:2:0, 8-bit for SDR and 10-bit for HDR.
    public var layout: PixelLayout?
    /// Policy for a sink that is slower than rendering.
    public var policy = StreamPipeline.Policy.latest
    /// Effect of a sink error on the run.
    public var fate = StreamPipeline.Fate.optional

    /// SDR with the default curve; a slow sink gets the latest frame, and a sink error is an event.
    public init(name: String, sink: any FrameSink) {
      self.name = name
      self.sink = sink
    }
  }

  /// The name of a plan's own output.
  public static let mainOutput = "output"
}

extension Session.SideOutput {
  /// The output of the pipeline. Passing data goes to the plan's own output.
  var output: StreamPipeline.Output {
    StreamPipeline.Output(name: name, sink: sink, policy: policy, fate: fate, takesPassingData: false)
  }

  /// Returns the rendering settings of the output.
  /// - Parameter geometry: Rotation of the pictures.
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

  /// Rejects outputs that a pipeline does not accept.
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
  /// Returns the layout that video players expect: 4:2:0, 8-bit for SDR and 10-bit for HDR.
  package static func common(for color: ColorDescription) -> PixelLayout {
    PixelLayout(.ycbcr420, bitDepth: color.transfer == .bt709 ? 8 : 10)
  }
}

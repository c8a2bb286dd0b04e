internal import Frames
internal import Measurement
internal import Rendering
internal import ToneMapping

/// Renders the frames of a stream, scene by scene, and follows its tags where they change in the middle.
final class StreamRenderer {
  /// What the frames become.
  struct Target {
    var endpoint: FrameRenderer.Endpoint
    var orientation = Orientation.identity
    var dithers = true
    /// What happens to the light of a scene.
    var stages: (SceneParameters?) -> [any Stage]
  }

  private let path: String
  private let overrides: SourceOverrides
  private let use: SceneTracker.Use?
  private let measured: ContentMeasurement?
  /// What the frames before mapping come to; nil where nobody asks, and where the stream has changed in the middle.
  private var meter: LightMeter?
  private let processing: ProcessingOptions
  private let pool: WorkerPool
  /// The target for a source; called again where the stream changes.
  private let makeTarget: (SourcePlan) throws -> Target
  private(set) var source: SourcePlan
  private var target: Target
  private var scenes: SceneTracker?
  private var renderers = SceneRenderers()
  /// Tags of the frames that `renderers` are made for, before overrides.
  private var taggedFormat: PixelFormat

  /// - Parameters:
  ///   - first: The frame that `source` was made from.
  ///   - path: For messages.
  ///   - use: What of the dynamic metadata is used.
  ///   - measured: The light of what is rendered.
  ///   - meter: Counts the light before it is mapped.
  /// - Throws: Where such frames cannot be rendered.
  init(
    first: CodedFrame, source: SourcePlan, path: String, overrides: SourceOverrides, use: SceneTracker.Use?,
    measured: ContentMeasurement? = nil, meter: LightMeter? = nil, processing: ProcessingOptions, pool: WorkerPool,
    target makeTarget: @escaping (SourcePlan) throws -> Target
  ) throws {
    self.path = path
    self.overrides = overrides
    self.use = use
    self.measured = measured
    self.meter = meter
    self.processing = processing
    self.pool = pool
    self.makeTarget = makeTarget
    self.source = source
    target = try makeTarget(source)
    // The plan has looked at the first frame, which need not be among those that are rendered.
    scenes = source.scenes?.restarted()
    taggedFormat = first.format
    // What cannot be rendered is refused before there is an output.
    _ = try renderers.renderer(for: source.scene) { try makeRenderer(first, source.scene) }
  }

  func render(_ frame: CodedFrame, into result: CodedFrame) throws {
    if frame.format != taggedFormat { try adapt(to: frame) }
    let renderer = try renderer(for: frame)
    try renderer.render(frame.described(as: renderer.source.format.color), into: result)
  }

  /// The renderer for the scene of a frame.
  private func renderer(for frame: CodedFrame) throws -> FrameRenderer {
    let scene = scenes == nil ? source.scene : scenes?.parameters(for: frame.metadata)
    scenes?.takeIgnored().forEach { Console.warning("Ignored: \($0).") }
    return try renderers.renderer(for: scene) { try makeRenderer(frame, scene) }
  }

  private func makeRenderer(_ frame: CodedFrame, _ scene: SceneParameters?) throws -> FrameRenderer {
    try FrameRenderer(
      source: FrameRenderer.Endpoint(
        format: PixelFormat(size: frame.size, layout: frame.layout, color: source.color),
        transfer: source.interpretation.transfer),
      stages: (meter.map { [$0] } ?? []) + target.stages(scene), target: target.endpoint,
      orientation: target.orientation, dither: target.dithers,
      tier: processing.kernels, pool: pool)
  }

  /// The stream has changed in the middle: other tags are followed, another size cannot be.
  private func adapt(to frame: CodedFrame) throws {
    guard target.orientation.turned(frame.size) == target.endpoint.format.size else {
      throw RenderingError.formatMismatch(expected: taggedFormat, actual: frame.format)
    }
    source = try SourcePlan(frame: frame, path: path, overrides: overrides, use: use, measured: measured)
    Console.warning("The video changes in the middle: now \(source.color.words).")
    source.warnings.forEach(Console.warning)
    target = try makeTarget(source)
    scenes = source.scenes?.restarted()
    renderers = SceneRenderers()
    // Light of another kind cannot be added to what was counted.
    meter = nil
    taggedFormat = frame.format
  }

  /// The light that was counted.
  var light: LightMeter.Result? { meter?.result }
}

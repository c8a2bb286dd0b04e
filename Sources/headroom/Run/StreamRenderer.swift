internal import Filters
internal import Frames
internal import Measurement
internal import Rendering
internal import ToneMapping

/// Renders the frames of a stream, scene by scene, and follows its tags where they change in the middle.
final class StreamRenderer {
  /// What the frames become.
  struct Target {
    var endpoint: FrameRenderer.Endpoint
    /// Of the picture on the top left of frames, where filters draw beside it.
    var pictureSize: Size
    var orientation = Orientation.identity
    var dithers = true
    /// Light in cd/m² that no reading of a PQ picture may exceed; nil where nothing keeps it in bounds.
    var limit: Double?
    var way = LightWay()

    var hasMargin: Bool { pictureSize != endpoint.format.size }

    /// What keeps the limit; nil without one, and for samples of light.
    func limiter() throws -> PeakLimiter? {
      guard let limit, case .pq = endpoint.transfer, endpoint.format.layout.samples == .integer else { return nil }
      return try PeakLimiter(format: endpoint.format, peak: limit)
    }
  }

  /// What is asked for, the same for every frame.
  struct Settings {
    /// For messages.
    var path: String
    var overrides: SourceOverrides
    /// What of the dynamic metadata is used.
    var use: SceneTracker.Use?
    /// The light of what is rendered.
    var measured: ContentMeasurement?
    var processing: ProcessingOptions
    var filters: [Filter] = []
    /// SDR white in cd/m², where specified.
    var sdrWhite: Double?
    /// Gets what is counted of each frame.
    var statistics: StatisticsReport?
  }

  private let settings: Settings
  /// What the frames before mapping come to; nil where nobody asks, and where the stream has changed in the middle.
  private var meter: LightMeter?
  private var colors: ColorMeter?
  private var filters: FilterSession?
  private let pool: WorkerPool
  /// The target for a source; called again where the stream changes.
  private let makeTarget: (SourcePlan) throws -> Target
  private(set) var source: SourcePlan
  private var target: Target
  private var limiter: PeakLimiter?
  private var scenes: SceneTracker?
  private var renderers = SceneRenderers()
  /// Tags of the frames that `renderers` are made for, before overrides.
  private var taggedFormat: PixelFormat

  /// - Parameters:
  ///   - first: The frame that `source` was made from.
  ///   - meter: Counts the light before it is mapped.
  /// - Throws: Where such frames cannot be rendered.
  init(
    first: CodedFrame, source: SourcePlan, _ settings: Settings, meter: LightMeter? = nil, pool: WorkerPool,
    target makeTarget: @escaping (SourcePlan) throws -> Target
  ) throws {
    self.settings = settings
    self.meter = meter
    self.pool = pool
    self.makeTarget = makeTarget
    self.source = source
    target = try makeTarget(source)
    limiter = try target.limiter()
    // The plan has looked at the first frame, which need not be among those that are rendered.
    scenes = source.scenes?.restarted()
    taggedFormat = first.format
    try startFilters()
    // What cannot be rendered is refused before there is an output.
    _ = try renderers.renderer(for: source.scene) { try makeRenderer(first, source.scene) }
  }

  func render(_ frame: CodedFrame, into result: CodedFrame) throws {
    if frame.format != taggedFormat { try adapt(to: frame) }
    let renderer = try renderer(for: frame)
    let picture = target.hasMargin ? result.part(PictureArea(target.pictureSize)) : result
    try renderer.render(frame.described(as: renderer.source.format.color), into: picture)
    try filters?.finish(result)
    limiter?.limit(result, pool: pool)
    if let colors { try settings.statistics?.add(colors.takeStatistics(), at: frame.time) }
  }

  /// The renderer for the scene of a frame.
  private func renderer(for frame: CodedFrame) throws -> FrameRenderer {
    let scene = scenes == nil ? source.scene : scenes?.parameters(for: frame.metadata)
    scenes?.takeIgnored().forEach { Console.warning("Ignored: \($0).") }
    return try renderers.renderer(for: scene) { try makeRenderer(frame, scene) }
  }

  private func makeRenderer(_ frame: CodedFrame, _ scene: SceneParameters?) throws -> FrameRenderer {
    let meters: [(any Stage)?] = [meter, colors]
    let stages = filters.map { $0.stages(around: target.way.mapping(scene)) + target.way.coding }
    var picture = target.endpoint
    picture.format.size = target.pictureSize
    return try FrameRenderer(
      source: FrameRenderer.Endpoint(
        format: frame.described(as: source.color).format, transfer: source.interpretation.transfer),
      stages: meters.compactMap(\.self) + (stages ?? target.way.stages(for: scene)), target: picture,
      orientation: target.orientation, dither: target.dithers,
      tier: settings.processing.kernels, pool: pool)
  }

  /// What filters paint and count depends on the tags of the stream.
  private func startFilters() throws {
    let content = source.interpretation
    let mapping = target.way.mapping(source.scene)
    // 1.0 of SDR content is the white of the display that it is mapped to.
    let ownWhite = content.metadata == nil ? mapping?.display.sdrWhite : nil
    let white = ownWhite ?? settings.sdrWhite ?? EDRMetadata.defaultOpticalOutputScale
    let size = target.pictureSize
    colors = settings.statistics.map { _ in
      ColorMeter(width: size.width, content: content, sdrWhite: white, workers: pool.count)
    }
    settings.statistics?.sdrWhite = white
    guard !settings.filters.isEmpty else { return }
    let context = FilterContext(
      content: content, mapping: mapping, sdrWhite: white, size: size, workers: pool.count)
    filters = try FilterSession(
      settings.filters, context, target: target.endpoint, coding: target.way.coding,
      tier: settings.processing.kernels, pool: pool)
  }

  /// The stream has changed in the middle: other tags are followed, another size cannot be.
  private func adapt(to frame: CodedFrame) throws {
    guard target.orientation.turned(frame.size) == target.pictureSize else {
      throw RenderingError.formatMismatch(expected: taggedFormat, actual: frame.format)
    }
    source = try SourcePlan(
      frame: frame, path: settings.path, overrides: settings.overrides, use: settings.use, measured: settings.measured)
    Console.warning("The video changes in the middle: now \(source.color.words).")
    source.warnings.forEach(Console.warning)
    target = try makeTarget(source)
    limiter = try target.limiter()
    scenes = source.scenes?.restarted()
    renderers = SceneRenderers()
    // Light of another kind cannot be added to what was counted.
    meter = nil
    try startFilters()
    taggedFormat = frame.format
  }

  /// The light that was counted.
  var light: LightMeter.Result? { meter?.result }
}

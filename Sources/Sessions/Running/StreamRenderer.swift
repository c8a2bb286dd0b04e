internal import Filters
internal import Frames
internal import Measurement
internal import Rendering
internal import ToneMapping

/// Renders the frames of a stream, shot by shot, and follows its tags where they change in the middle.
final class StreamRenderer {
  /// What is asked for, the same for every frame.
  struct Settings {
    /// Of the input.
    var name: String
    var input: InputRequest
    /// What of the dynamic metadata is used.
    var use: ShotTracker.Use?
    /// The light of what is rendered.
    var measured: MeasuredLight?
    var processing: ProcessingRequest
    var filters: [Filter] = []
    /// SDR white in cd/m², where specified.
    var sdrWhite: Double?
    /// Gets what is counted of each frame.
    var statistics: StatisticsFile?
    /// Counts the light before it is mapped.
    var levels: LightLevelAnalyzer?
  }

  private let session: Session
  private let settings: Settings
  /// What the frames before mapping come to; nil where nobody asks, and where the stream has changed in the middle.
  private var levels: LightLevelAnalyzer?
  private var gamut: GamutAnalyzer?
  private var filters: FilterSession?
  private let pool: WorkerPool
  /// The target for another source, where the stream changes.
  private let replan: (SourcePlan) throws -> RenderTarget
  private var source: SourcePlan
  private var target: RenderTarget
  private var limiter: PeakLimiter?
  private var tracker: ShotTracker?
  private var renderers = ShotRenderers()
  /// Tags of the frames that `renderers` are made for, before overrides.
  private var taggedFormat: PixelFormat

  /// - Parameters:
  ///   - first: What frames come in, before overrides.
  ///   - source: What they are taken for.
  ///   - replan: The target for another source.
  /// - Throws: Where such frames cannot be rendered.
  init(
    _ session: Session, _ first: PixelFormat, source: SourcePlan, target: RenderTarget, _ settings: Settings,
    pool: WorkerPool, replan: @escaping (SourcePlan) throws -> RenderTarget
  ) throws {
    (self.session, self.settings, self.pool, self.replan) = (session, settings, pool, replan)
    (self.source, self.target) = (source, target)
    levels = settings.levels
    limiter = try target.limiter()
    // The plan has looked at the first frame, which need not be among those that are rendered.
    tracker = source.makeTracker()
    taggedFormat = first
    try startFilters()
    // What cannot be rendered is refused before there is an output.
    _ = try renderers.renderer(for: source.shot) { try makeRenderer(first, source.shot) }
  }

  func render(_ frame: CodedFrame, into result: CodedFrame) throws {
    if frame.format != taggedFormat { try adapt(to: frame) }
    let renderer = try renderer(for: frame)
    let picture = target.hasMargin ? result.part(PictureArea(target.pictureSize)) : result
    try renderer.render(frame.described(as: renderer.source.format.color), into: picture)
    try filters?.finish(result)
    limiter?.limit(result, pool: pool)
    if let gamut { try settings.statistics?.add(gamut.takeStatistics(), at: frame.time) }
  }

  /// The light that was counted.
  var light: LightLevelAnalyzer.Result? { levels?.result }

  /// The renderer for the shot of a frame.
  private func renderer(for frame: CodedFrame) throws -> FrameRenderer {
    let shot = tracker == nil ? source.shot : tracker?.parameters(for: frame.metadata)
    session.warn(tracker?.takeIgnored().map { .source(.ignoredMetadata($0)) } ?? [])
    return try renderers.renderer(for: shot) { try makeRenderer(frame.format, shot) }
  }

  private func makeRenderer(_ format: PixelFormat, _ shot: ShotParameters?) throws -> FrameRenderer {
    var format = format
    (format.layout, format.color) = (format.layout.read(by: source.color.matrix), source.color)
    let counters: [(any Stage)?] = [levels, gamut]
    let rendering = target.rendering
    let stages = filters.map { $0.stages(around: rendering.mapping(for: shot)) + rendering.conversionStages }
    var picture = target.endpoint
    picture.format.size = target.pictureSize
    return try FrameRenderer(
      source: FrameRenderer.Endpoint(format: format, transfer: source.interpretation.transfer),
      stages: counters.compactMap(\.self) + (stages ?? rendering.stages(for: shot)), target: picture,
      orientation: target.orientation, dither: target.dithers, tier: settings.processing.kernels, pool: pool)
  }

  /// What filters paint and count depends on the tags of the stream.
  private func startFilters() throws {
    let content = source.interpretation
    let mapping = target.rendering.mapping(for: source.shot)
    // 1.0 of SDR content is the white of the display that it is mapped to.
    let ownWhite = content.metadata == nil ? mapping?.display.sdrWhite : nil
    let white = ownWhite ?? settings.sdrWhite ?? EDRMetadata.defaultOpticalOutputScale
    let size = target.pictureSize
    gamut = settings.statistics.map { _ in
      GamutAnalyzer(width: size.width, content: content, sdrWhite: white, workers: pool.count)
    }
    settings.statistics?.sdrWhite = white
    guard !settings.filters.isEmpty else { return }
    let context = FilterContext(
      content: content, mapping: mapping, sdrWhite: white, size: size, workers: pool.count)
    filters = try FilterSession(
      settings.filters, context, target: target.endpoint, coding: target.rendering.conversionStages,
      tier: settings.processing.kernels, pool: pool)
  }

  /// The stream has changed in the middle: other tags are followed, another size cannot be.
  private func adapt(to frame: CodedFrame) throws {
    guard target.orientation.turned(frame.size) == target.pictureSize else {
      throw RenderingError.formatMismatch(expected: taggedFormat, actual: frame.format)
    }
    source = try SourcePlan(
      frame: frame, name: settings.name, overrides: settings.input.overrides, isStrict: settings.input.isStrict,
      use: settings.use, measured: settings.measured)
    session.warn([.input(.changes(source.color))] + source.warnings)
    target = try replan(source)
    limiter = try target.limiter()
    tracker = source.makeTracker()
    renderers = ShotRenderers()
    // Light of another kind cannot be added to what was counted.
    levels = nil
    try startFilters()
    taggedFormat = frame.format
  }
}

/// The renderers of the last few shots: cuts go back and forth between them.
private struct ShotRenderers {
  /// A renderer takes some hundred kilobytes of tables, and rows for each worker.
  private static let capacity = 4
  /// The latest last.
  private var entries: [(shot: ShotParameters?, renderer: FrameRenderer)] = []

  /// The renderer for a shot, made where it is not among the last.
  mutating func renderer(for shot: ShotParameters?, make: () throws -> FrameRenderer) throws -> FrameRenderer {
    if let last = entries.last, last.shot == shot { return last.renderer }
    let renderer: FrameRenderer
    if let index = entries.firstIndex(where: { $0.shot == shot }) {
      renderer = entries.remove(at: index).renderer
    } else {
      renderer = try make()
      if entries.count == Self.capacity { entries.removeFirst() }
    }
    entries.append((shot, renderer))
    return renderer
  }
}

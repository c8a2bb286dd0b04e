internal import Filters
internal import Frames
internal import Measurement
internal import Rendering
internal import ToneMapping

/// Renders the frames of a stream, shot by shot, and follows changes of its tags mid-stream.
final class StreamRenderer {
  /// Settings that are the same for every frame.
  struct Settings {
    /// Name of the input.
    var name: String
    var input: InputRequest
    /// How dynamic metadata is used.
    var use: ShotTracker.Use?
    /// The measured light of the selected frames.
    var measured: MeasuredLight?
    var processing: ProcessingRequest
    var filters: [Filter] = []
    /// SDR white in cd/m², where specified.
    var sdrWhite: Double?
    /// Gets the statistics of each frame.
    var statistics: StatisticsFile?
    /// Measures the light before the mapping.
    var levels: LightLevelAnalyzer?
  }

  private let session: Session
  private let settings: Settings
  /// Light of the frames before mapping; nil if not requested, and once the stream has changed.
  private var levels: LightLevelAnalyzer?
  private var gamut: GamutAnalyzer?
  private var filters: FilterSession?
  private let pool: WorkerPool
  /// The target for another source, if the stream changes.
  private let replan: (SourcePlan) throws -> RenderTarget
  private var source: SourcePlan
  private var target: RenderTarget
  private var limiter: PeakLimiter?
  private var tracker: ShotTracker?
  private var renderers = ShotRenderers()
  /// Tags of the frames that `renderers` was made for, before overrides.
  private var taggedFormat: PixelFormat

  /// - Parameters:
  ///   - first: Format of the first frame, before overrides.
  ///   - source: How frames are interpreted.
  ///   - replan: The target for another source.
  /// - Throws: If such frames cannot be rendered.
  init(
    _ session: Session, _ first: PixelFormat, source: SourcePlan, target: RenderTarget, _ settings: Settings,
    pool: WorkerPool, replan: @escaping (SourcePlan) throws -> RenderTarget
  ) throws {
    (self.session, self.settings, self.pool, self.replan) = (session, settings, pool, replan)
    (self.source, self.target) = (source, target)
    levels = settings.levels
    limiter = try target.limiter()
    // The plan has seen the first frame, which need not be among those that are rendered.
    tracker = source.makeTracker()
    taggedFormat = first
    try startFilters()
    // Reject what cannot be rendered before any output exists.
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

  /// The measured light.
  var light: LightLevelAnalyzer.Result? { levels?.result }

  /// The renderer for the shot of a frame.
  private func renderer(for frame: CodedFrame) throws -> FrameRenderer {
    let shot = tracker == nil ? source.shot : tracker?.parameters(for: frame.metadata)
    session.warn(tracker?.takeIgnored().map { .source(.ignoredMetadata($0)) } ?? [])
    return try renderers.renderer(for: shot) { try makeRenderer(frame.format, shot) }
  }

  private func makeRenderer(_ format: PixelFormat, _ shot: ShotParameters?) throws -> FrameRenderer {
    let format = source.reading(format)
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
    // 1.0 of SDR content is the white of the display it is mapped to.
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

  /// The stream has changed: new tags are followed, a new size cannot be.
  private func adapt(to frame: CodedFrame) throws {
    guard target.orientation.rotated(frame.size) == target.pictureSize else {
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
    // Light of another kind cannot be added to the measurement.
    levels = nil
    try startFilters()
    taggedFormat = frame.format
  }
}

/// The renderers of the last few shots, because edits alternate between shots.
private struct ShotRenderers {
  /// A renderer holds some hundred kilobytes of tables, and rows for each worker.
  private static let capacity = 4
  /// Most recently used last.
  private var entries: [(shot: ShotParameters?, renderer: FrameRenderer)] = []

  /// The renderer for a shot, created if it is not cached.
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

internal import Filters
internal import Frames
internal import Rendering
internal import StreamPipeline
internal import ToneMapping

/// What one output of a run makes of a stream's light.
struct Rendition {
  var mapping: MappingRequest
  var filters: [Filter] = []
  /// How dynamic metadata is used under a mapping; nil: not at all.
  let use: (MappingRequest) -> ShotTracker.Use?
  /// What frames of a source are rendered to.
  let target: (SourcePlan, MappingRequest, [Filter]) throws -> RenderTarget
}

/// Renders one output of a stream: follows its dynamic metadata, and finishes its frames.
final class OutputRenderer {
  /// Where and how all outputs are rendered.
  struct Environment {
    var processing: ProcessingRequest
    /// SDR white in cd/m², where specified.
    var sdrWhite: Double?
    var measured: MeasuredLight?
    var pool: WorkerPool
  }

  private let environment: Environment
  private(set) var rendition: Rendition
  private(set) var source: SourcePlan
  private(set) var target: RenderTarget
  private var tracker: ShotTracker?
  private var shot: ShotParameters?
  private var filters: FilterSession?
  private var limiter: PeakLimiter?
  /// Why no more frames can be rendered.
  private var failure: (any Error)?

  /// - Throws: If frames of the source cannot be rendered to the target.
  init(_ rendition: Rendition, source: SourcePlan, target: RenderTarget, _ environment: Environment) throws {
    (self.rendition, self.source, self.target, self.environment) = (rendition, source, target, environment)
    // The plan has seen the first frame, which need not be among those that are rendered.
    tracker = source.makeTracker()
    shot = source.shot
    filters = try Self.filters(rendition, source, target, environment)
    limiter = try target.limiter()
  }

  /// What filters paint depends on the tags of the stream.
  private static func filters(
    _ rendition: Rendition, _ source: SourcePlan, _ target: RenderTarget, _ environment: Environment
  ) throws -> FilterSession? {
    guard !rendition.filters.isEmpty else { return nil }
    let context = FilterContext(
      content: source.interpretation, mapping: target.rendering.mapping(for: source.shot),
      sdrWhite: sdrWhite(source, target, environment), size: target.pictureSize, workers: environment.pool.count)
    return try FilterSession(
      rendition.filters, context, target: target.endpoint, coding: target.rendering.conversionStages,
      tier: environment.processing.kernels, pool: environment.pool)
  }

  private static func sdrWhite(_ source: SourcePlan, _ target: RenderTarget, _ environment: Environment) -> Double {
    // 1.0 of SDR content is the white of the display it is mapped to.
    let isSDR = source.interpretation.metadata == nil
    let ownWhite = isSDR ? target.rendering.mapping(for: source.shot)?.display.sdrWhite : nil
    return ownWhite ?? environment.sdrWhite ?? EDRMetadata.defaultOpticalOutputScale
  }

  /// Luminance of SDR white in cd/m².
  var sdrWhite: Double { Self.sdrWhite(source, target, environment) }

  /// Follows the stream to a source with other tags. If it cannot, it renders no more frames.
  func follow(_ source: SourcePlan) {
    guard failure == nil else { return }
    do {
      try adopt(rendition, source)
      (tracker, shot) = (source.makeTracker(), source.shot)
    } catch {
      failure = error
    }
  }

  /// Renders by another mapping and other filters from now on, in the middle of a shot.
  /// - Parameter remade: The source as of the latest frame, for another use of its dynamic metadata.
  /// - Throws: If it cannot; nothing has changed then.
  func change(
    _ mapping: MappingRequest?, _ filters: [Filter]?, remade: (ShotTracker.Use?) throws -> SourcePlan
  ) throws {
    var changed = rendition
    changed.mapping = mapping ?? changed.mapping
    changed.filters = filters ?? changed.filters
    let size = Filter.frameSize(changed.filters, picture: target.pictureSize)
    guard changed.mapping.kind == rendition.mapping.kind, size == target.endpoint.format.size else {
      throw Refusal.invalid(.run(.changesFormat))
    }
    let use = changed.use(changed.mapping)
    if use == rendition.use(rendition.mapping) { return try adopt(changed, source) }
    let source = try remade(use)
    try adopt(changed, source)
    (tracker, shot) = (source.makeTracker(), source.shot)
  }

  private func adopt(_ rendition: Rendition, _ source: SourcePlan) throws {
    let target = try rendition.target(source, rendition.mapping, rendition.filters)
    let (filters, limiter) = (try Self.filters(rendition, source, target, environment), try target.limiter())
    (self.rendition, self.source, self.target) = (rendition, source, target)
    (self.filters, self.limiter) = (filters, limiter)
  }

  /// The parameters of the shot that a frame belongs to; to be called for every frame, in order.
  /// - Parameter ignored: Gets metadata that is not used, once.
  func shot(of frame: CodedFrame, ignored: ([String]) -> Void) -> ShotParameters? {
    guard tracker != nil else { return shot }
    shot = tracker?.parameters(for: frame.metadata)
    ignored(tracker?.takeIgnored() ?? [])
    return shot
  }

  /// The output of a renderer for the current shot.
  var output: FrameRenderer.Output {
    let rendering = target.rendering
    let stages = filters.map { $0.stages(around: rendering.mapping(for: shot)) + rendering.conversionStages }
    var picture = target.endpoint
    picture.format.size = target.pictureSize
    return FrameRenderer.Output(
      stages: stages ?? rendering.stages(for: shot), end: .coded(picture, dithers: target.dithers),
      orientation: target.orientation)
  }

  /// Where a renderer puts the picture of a frame; nil: the frame is not needed.
  func destination(_ frame: CodedFrame?) -> FrameRenderer.Destination {
    guard let frame, failure == nil else { return .skipped }
    return .coded(target.hasMargin ? frame.part(PictureArea(target.pictureSize)) : frame)
  }

  /// Draws what stands over and beside the picture, and limits its light.
  func finish(_ frame: CodedFrame?) -> StreamPipeline.Rendered {
    if let failure { return .failed(failure) }
    guard let frame else { return .nothing }
    do {
      try filters?.finish(frame)
    } catch {
      return .failed(error)
    }
    limiter?.limit(frame, pool: environment.pool)
    return .frame(frame)
  }
}

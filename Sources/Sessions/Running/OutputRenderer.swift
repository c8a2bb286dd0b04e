internal import Displays
package import Filters
package import Frames
package import Rendering
internal import StreamPipeline
package import ToneMapping

/// Rendering settings of one output.
package struct OutputSettings {
  package var mapping: MappingRequest
  let rendering: RenderingRequest
  package var following: DisplayFollowing?
  package var filters: [Filter] = []
  /// Size and format of frames may change.
  package var isResizable = false
  /// Returns the render target for frames of a source and size after the stream or the mapping has changed.
  package let target: (SourcePlan, Size, MappingRequest, [Filter]) throws -> RenderTarget

  package init(
    mapping: MappingRequest, rendering: RenderingRequest, following: DisplayFollowing? = nil, filters: [Filter] = [],
    isResizable: Bool = false, target: @escaping (SourcePlan, Size, MappingRequest, [Filter]) throws -> RenderTarget
  ) {
    (self.mapping, self.rendering, self.following, self.filters) = (mapping, rendering, following, filters)
    (self.isResizable, self.target) = (isResizable, target)
  }

  /// Use of dynamic metadata; nil: none.
  package var use: ShotTracker.Use? { rendering.dynamicMetadataUse(for: mapping) }
}

/// Renders one output of a stream: tracks its dynamic metadata, and finishes its frames.
package final class OutputRenderer {
  /// Resources shared by all outputs.
  package struct Environment {
    var processing: ProcessingRequest
    var measured: MeasuredLight?
    var pool: WorkerPool

    package init(processing: ProcessingRequest, measured: MeasuredLight?, pool: WorkerPool) {
      (self.processing, self.measured, self.pool) = (processing, measured, pool)
    }
  }

  private let environment: Environment
  private(set) var settings: OutputSettings
  private(set) var source: SourcePlan
  package private(set) var target: RenderTarget
  private var sourceSize: Size
  private var tracker: ShotTracker?
  /// Shot parameters of the last frame.
  private(set) var shot: ShotParameters?
  private var filters: FilterSession?
  private var limiter: PeakLimiter?
  private let subtitles: SubtitleBurner?
  private let graphicsLimiter: PeakLimiter?
  /// The overlay of the current frame.
  private var drawn: LightOverlay?
  private let follower: DisplayFollower?
  /// Why no more frames can be rendered.
  private var failure: (any Error)?

  /// - Parameter size: Size of the source's frames.
  /// - Throws: An error if frames of the source cannot be rendered to the target.
  package init(
    _ settings: OutputSettings, source: SourcePlan, _ size: Size, target: RenderTarget,
    subtitles: SubtitleBurner? = nil, _ environment: Environment
  ) throws {
    (self.settings, self.source, self.target, self.environment) = (settings, source, target, environment)
    self.subtitles = subtitles
    graphicsLimiter = try subtitles == nil ? nil : target.graphicsLimiter()
    sourceSize = size
    // The plan has processed the first frame, which may not be rendered.
    tracker = source.makeTracker()
    shot = source.shot
    filters = try Self.filters(settings, source, target, environment)
    limiter = try target.limiter()
    follower = try settings.following.flatMap { following in
      try settings.mapping.display.map { try DisplayFollower(following, $0) }
    }
  }

  /// Returns the filters, whose colours depend on the tags of the stream.
  private static func filters(
    _ settings: OutputSettings, _ source: SourcePlan, _ target: RenderTarget, _ environment: Environment
  ) throws -> FilterSession? {
    guard !settings.filters.isEmpty else { return nil }
    let context = FilterContext(
      content: source.interpretation, mapping: target.rendering.mapping(for: source.shot),
      sdrWhite: sdrWhite(settings, source, target), size: target.pictureSize, workers: environment.pool.count)
    return try FilterSession(
      settings.filters, context, target: target.endpoint, coding: target.rendering.conversionStages,
      tier: environment.processing.kernels, pool: environment.pool)
  }

  private static func sdrWhite(_ settings: OutputSettings, _ source: SourcePlan, _ target: RenderTarget) -> Double {
    // 1.0 of SDR content is the white of its target display.
    let isSDR = source.interpretation.metadata == nil
    let ownWhite = isSDR ? target.rendering.mapping(for: source.shot)?.display.sdrWhite : nil
    return ownWhite ?? settings.mapping.sdrWhite ?? settings.mapping.display?.sdrWhite
      ?? EDRMetadata.defaultOpticalOutputScale
  }

  /// Luminance of SDR white in cd/m².
  package var sdrWhite: Double { Self.sdrWhite(settings, source, target) }

  /// Follows the stream to a source with other tags or another size. If that is impossible, rendering stops.
  func follow(_ source: SourcePlan, _ size: Size) {
    guard failure == nil else { return }
    do {
      sourceSize = size
      try adopt(settings, source)
      (tracker, shot) = (source.makeTracker(), source.shot)
    } catch {
      failure = error
    }
  }

  /// Changes the mapping and filters, also within a shot.
  /// - Throws: An error if that is impossible; nothing has changed then.
  func change(_ mapping: MappingRequest?, _ filters: [Filter]?) throws {
    var changed = settings
    changed.mapping = mapping ?? changed.mapping
    changed.filters = filters ?? changed.filters
    try changed.rendering.validate(with: changed.mapping)
    let size = Filter.frameSize(changed.filters, picture: target.pictureSize)
    let isSameSize = size == target.endpoint.format.size || changed.filters == settings.filters
    guard settings.isResizable || isSameSize && changed.mapping.kind == settings.mapping.kind else {
      throw Refusal.invalid("change-of-frame-format", "Frames cannot change kind or size in the middle of a run.")
    }
    if changed.use == settings.use { return try adopt(changed, source) }
    let source = source.using(changed.use)
    try adopt(changed, source)
    (tracker, shot) = (source.makeTracker(), source.shot)
  }

  /// Size of the picture with filter drawings; a frame may have margins around it.
  var drawnSize: Size { Filter.frameSize(settings.filters, picture: target.pictureSize) }

  /// Adopts the current settings, such as the size of a window.
  /// - Throws: An error if that is impossible; nothing has changed then.
  func refresh() throws { try adopt(settings, source) }

  /// Adopts settings. Drops filters that do not fit in a window while it is small.
  private func adopt(_ settings: OutputSettings, _ source: SourcePlan) throws {
    do {
      try adoptAll(settings, source)
    } catch {
      guard settings.isResizable, !settings.filters.isEmpty, settings.filters == self.settings.filters else {
        throw error
      }
      var plain = settings
      plain.filters = []
      try adoptAll(plain, source)
      self.settings = settings
    }
  }

  private func adoptAll(_ settings: OutputSettings, _ source: SourcePlan) throws {
    var target = try settings.target(source, sourceSize, settings.mapping, settings.filters)
    // The sink has already received frames of this format.
    if !settings.isResizable { target.endpoint.format = self.target.endpoint.format }
    let (filters, limiter) = (try Self.filters(settings, source, target, environment), try target.limiter())
    (self.settings, self.source, self.target) = (settings, source, target)
    (self.filters, self.limiter) = (filters, limiter)
  }

  /// Renders for the display at the time of a frame; call it for every frame, in order.
  /// - Returns: Whether anything changes.
  func followDisplay(to frame: CodedFrame) -> Bool {
    guard failure == nil, let status = follower?.status(at: frame.time.seconds), status != settings.mapping.display
    else { return false }
    do {
      var changed = settings
      changed.mapping = settings.mapping.on(status)
      try adopt(changed, source)
    } catch {
      failure = error
    }
    return true
  }

  /// The current headroom; nil unless a display is followed.
  var followedHeadroom: Double? { follower.flatMap { _ in target.rendering.mapping(for: shot)?.display.headroom } }

  /// Returns why the display can no longer be read, once.
  func takeFault() -> DisplayError? { follower?.takeFault() }

  /// Returns the shot parameters of a frame; call it for every frame, in order.
  func shot(of frame: CodedFrame) -> ShotParameters? {
    if tracker != nil { shot = tracker?.parameters(for: frame.metadata) }
    return shot
  }

  /// Returns unused metadata and the reasons, once.
  func takeIgnored() -> [String] { tracker?.takeIgnored() ?? [] }

  /// Source frames pass to the output: code values are kept, and nothing is drawn on them.
  var passesFrames: Bool {
    keepsCodes && !target.hasMargin && source.layout.packing == .planar && filters == nil && limiter == nil
      && subtitles == nil && failure == nil
  }

  /// Light is not mapped, and frames are coded as in the source.
  private var keepsCodes: Bool {
    target.orientation == .identity && target.rendering.leavesLight
      && source.endpoint(sourceSize).codes(as: picture)
  }

  /// The area of output frames to which the source is rendered.
  private var picture: FrameRenderer.Endpoint {
    var result = target.endpoint
    result.format.size = target.pictureSize
    return result
  }

  /// The output of a renderer for the current shot.
  var output: FrameRenderer.Output {
    let rendering = target.rendering
    let filtered = filters.map { $0.stages(around: rendering.mapping(for: shot)) + rendering.conversionStages }
    let stages = filtered ?? rendering.stages(for: shot)
    let isCopied = keepsCodes && stages.allSatisfy(\.leavesLight)
    return FrameRenderer.Output(
      stages: stages, end: isCopied ? .copied(picture) : .coded(picture, dithers: target.dithers),
      orientation: target.orientation)
  }

  /// Returns where a renderer puts the picture of a frame, and its overlay.
  /// - Parameters:
  ///   - frame: nil: no frame is needed.
  ///   - source: The frame to render.
  func destination(_ frame: CodedFrame?, of source: CodedFrame) -> FrameRenderer.Destination {
    drawn = nil
    guard let frame, failure == nil else { return .skipped }
    do {
      drawn = try subtitles?.overlay(of: source, on: target)
      return .coded(target.hasMargin ? frame.part(target.picture) : frame, under: drawn)
    } catch {
      failure = error
      return .skipped
    }
  }

  /// Draws everything over and beside the picture, and limits its light.
  func finish(_ frame: CodedFrame?) -> StreamPipeline.Rendered {
    if let failure { return .failed(failure) }
    guard let frame else { return .nothing }
    do {
      try filters?.finish(frame)
    } catch {
      return .failed(error)
    }
    limiter?.limit(frame, pool: environment.pool)
    if let drawn { graphicsLimiter?.limit(frame, under: drawn, in: target.picture, pool: environment.pool) }
    return .frame(frame)
  }
}

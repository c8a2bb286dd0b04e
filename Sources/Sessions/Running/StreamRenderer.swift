internal import Displays
package import Filters
package import Frames
internal import Measurement
internal import Media
internal import Rendering
package import StreamPipeline
internal import ToneMapping

/// Renders the frames of a stream to one or more outputs, shot by shot, from one unpacking, and follows changes of its
/// tags mid-stream.
package final class StreamRenderer: @unchecked Sendable {
  // @unchecked: only the rendering thread uses it; a pipeline runs its changes there, too.

  /// Measurements before the light is mapped.
  package struct Counting {
    /// Receives the statistics of each frame.
    var statistics: StatisticsFile?
    /// Measures the light.
    var levels: LightLevelAnalyzer?
  }

  private let session: Session
  private let environment: OutputRenderer.Environment
  private let outputs: [OutputRenderer]
  private let statistics: StatisticsFile?
  /// Light of the frames before mapping; nil if not requested, and once the stream has changed.
  private var levels: LightLevelAnalyzer?
  private var gamut: GamutAnalyzer?
  private var follower: SourceFollower
  private var renderers = ShotRenderers()
  private let lightFrames = LightFrames()

  /// - Parameters:
  ///   - follower: The stream at its first frame.
  ///   - outputs: Settings of each output, the main one first. Counting refers to its display.
  /// - Throws: An error if such frames cannot be rendered.
  package init(
    _ session: Session, _ follower: SourceFollower, outputs: [OutputRenderer],
    _ environment: OutputRenderer.Environment, counting: Counting = Counting()
  ) throws {
    (self.session, self.environment, self.outputs, self.follower) = (session, environment, outputs, follower)
    (statistics, levels) = (counting.statistics, counting.levels)
    startCounting()
    // Reject unsupported formats before any output exists.
    _ = try renderers.renderer(for: outputs.map(\.source.shot)) { try makeRenderer() }
  }

  /// Renders a frame for every output.
  /// - Parameters:
  ///   - results: A frame for each output; nil: not needed.
  ///   - isRedraw: The frame was rendered before, and must not be tracked again.
  /// - Throws: An error if the stream cannot be followed to this frame, or not be rendered at all.
  package func render(
    _ frame: CodedFrame, into results: [CodedFrame?], isRedraw: Bool = false
  ) throws -> [StreamPipeline.Rendered] {
    try follow(frame)
    followDisplays(to: frame)
    warn(outputs.compactMap { $0.takeFault() }.map { .displayLost($0) })
    let shots = outputs.map { isRedraw ? $0.shot : $0.shot(of: frame) }
    warn(outputs.flatMap { $0.takeIgnored() }.map { .metadataIgnored($0) })
    let renderer = try renderers.renderer(for: shots) { try makeRenderer() }
    try renderer.render(frame, into: zip(outputs, results).map { $0.destination($1, of: frame) })
    statistics?.headroom = outputs[0].followedHeadroom
    if let gamut { try statistics?.add(gamut.takeStatistics(), at: frame.time) }
    return zip(outputs, results).map { $0.finish($1) }
  }

  /// Follows the stream to a frame with possibly different tags or size, and updates `formats` accordingly.
  /// - Throws: An error if the stream cannot be followed to this frame.
  package func follow(_ frame: CodedFrame) throws {
    if try follower.hasChanged(frame) { try restart(frame) }
  }

  private func followDisplays(to frame: CodedFrame) {
    let white = outputs[0].sdrWhite
    guard outputs.map({ $0.followDisplay(to: frame) }).contains(true) else { return }
    renderers = ShotRenderers()
    if outputs[0].sdrWhite != white { startCounting() }
  }

  /// Renders a frame for the only output.
  package func render(_ frame: CodedFrame, into result: CodedFrame) throws {
    if case .failed(let error) = try render(frame, into: [result])[0] { throw error }
  }

  /// Changes the mapping and filters of one output, from the next frame on.
  /// - Throws: An error if that is impossible; nothing has changed then.
  package func change(_ index: Int, _ mapping: MappingRequest?, _ filters: [Filter]?) throws {
    try outputs[index].change(mapping, filters)
    renderers = ShotRenderers()
    if index == 0 { startCounting() }
  }

  /// Adopts the current settings of one output, such as the size of a window.
  /// - Throws: An error if that is impossible; nothing has changed then.
  package func refresh(_ index: Int) throws {
    try outputs[index].refresh()
    renderers = ShotRenderers()
  }

  /// Returns the current render target of output `index`.
  package func target(of index: Int) -> RenderTarget { outputs[index].target }

  /// Returns the size of the picture of output `index`, with filter drawings.
  package func drawnSize(of index: Int) -> Size { outputs[index].drawnSize }

  /// Returns the current interpretation of the stream for output `index`.
  package func source(of index: Int) -> SourcePlan { outputs[index].source }

  /// The last followed frame can be passed to the main output.
  var passesFrames: Bool { outputs[0].passesFrames }

  /// Formats of the frames of each output.
  package var formats: [PixelFormat] { outputs.map(\.target.endpoint.format) }

  /// The measured light.
  var light: LightLevelAnalyzer.Result? { levels?.result }

  /// Creates a renderer; renderings share the source's format and the measurements.
  private func makeRenderer() throws -> ScalingRenderer {
    let source = outputs[0].source
    let counters: [(any Stage)?] = [levels, gamut]
    return try ScalingRenderer(
      source: source.endpoint(follower.format.size),
      trunk: counters.compactMap(\.self), outputs: outputs.map { ($0.output, $0.target.scaledSize) }, lightFrames,
      tier: environment.processing.kernels, pool: environment.pool)
  }

  private func startCounting() {
    guard let statistics else { return }
    let white = outputs[0].sdrWhite
    statistics.sdrWhite = white
    gamut = GamutAnalyzer(
      width: follower.format.size.width, content: outputs[0].source.interpretation, sdrWhite: white,
      workers: environment.pool.count)
  }

  /// Restarts all outputs after a change of the stream.
  private func restart(_ frame: CodedFrame) throws {
    let source = try follower.source(frame, use: outputs[0].settings.use, measured: environment.measured)
    SourceFollower.report(source, frame.size, session)
    for output in outputs {
      let own = source.using(output.settings.use)
      output.follow(own, frame.size)
      warn(own.warnings.filter { !source.warnings.contains($0) })
    }
    renderers = ShotRenderers()
    // Light of another kind cannot be added to the measurement.
    levels = nil
    startCounting()
  }

  /// Gives warnings that concern several outputs once.
  private func warn(_ messages: [Message]) {
    for (index, message) in messages.enumerated() where !messages[..<index].contains(message) {
      session.warn([message])
    }
  }
}

extension Message {
  fileprivate static func displayLost(_ error: DisplayError) -> Message {
    Message("display-lost", "\(error) The picture is made for what the display was before.")
  }
}

/// The renderers of the last few shots, because edits alternate between shots.
private struct ShotRenderers {
  /// Maximum number of renderers, each of which holds some hundred kilobytes of tables, and rows for each worker.
  private static let capacity = 4
  /// Most recently used last.
  private var entries: [(shots: [ShotParameters?], renderer: ScalingRenderer)] = []

  /// Returns the renderer for the shots of all outputs, and creates it if it is not cached.
  mutating func renderer(for shots: [ShotParameters?], make: () throws -> ScalingRenderer) throws -> ScalingRenderer {
    if let last = entries.last, last.shots == shots { return last.renderer }
    let renderer: ScalingRenderer
    if let index = entries.firstIndex(where: { $0.shots == shots }) {
      renderer = entries.remove(at: index).renderer
    } else {
      renderer = try make()
      if entries.count == Self.capacity { entries.removeFirst() }
    }
    entries.append((shots, renderer))
    return renderer
  }
}

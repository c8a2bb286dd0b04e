internal import Filters
internal import StreamPipeline
internal import Synchronization

/// Every call returns at once, from any thread, and takes effect between two frames, which an event names.
extension Session {
  /// What may change while frames are rendered.
  public struct Change: Sendable, Hashable, Codable {
    /// The output that changes.
    public var output = Session.mainOutput
    /// How light is mapped from now on: to a display of the same kind; nil: as before.
    ///
    /// What the output's file already states, such as MaxCLL, stays true: its light never exceeds it.
    public var mapping: MappingRequest?
    /// The filters from now on; nil: as before. They must not change the size of the frames.
    public var filters: [String]?

    /// Nothing changes.
    public init() {}
  }

  /// Stops rendering until `resume()`. Does nothing between runs.
  public func pause() { pipeline?.pause() }

  /// Ends a pause.
  public func resume() { pipeline?.resume() }

  /// Renders one more frame while the run is paused. Does nothing otherwise.
  public func step() { pipeline?.step() }

  /// Changes how an output is rendered, from the next frame on. The event `.pipeline(.changed)` names the output and
  /// that frame. If the change turns out to be impossible, `.changeFailed` precedes it, and nothing has changed.
  /// - Returns: false if no frames move, or they are not rendered: the change is not made.
  /// - Throws: `Refusal` for values out of range, `FilterFailure`.
  @discardableResult
  public func change(_ change: Change) throws -> Bool {
    try change.mapping?.validate()
    let filters = try change.filters.map { try Filter.parsed($0) }
    guard let (pipeline, renderer) = state.withLock({ $0.run }), let renderer,
      let index = pipeline.progress.outputs.firstIndex(where: { $0.name == change.output })
    else { return false }
    return pipeline.change(change.output) { [self] in
      do {
        try renderer.change(index, change.mapping, filters)
      } catch {
        emit(.changeFailed(error))
      }
    }
  }

  private var pipeline: StreamPipeline? { state.withLock { $0.run?.pipeline } }
}

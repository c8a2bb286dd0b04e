internal import Filters
package import StreamPipeline
internal import Synchronization

/// Every call returns at once, from any thread, and takes effect between two frames, which an event names.
extension Session {
  /// What may change while frames are rendered.
  public struct Change: Sendable, Hashable, Codable {
    /// The output that changes.
    public var output = Session.mainOutput
    /// How light is mapped from now on: to a display of the same kind; nil: as before.
    ///
    /// The peak of the plan's own output must not exceed the MaxCLL that its file already states.
    public var mapping: MappingRequest?
    /// The filters from now on; nil: as before. They must not change the size of the frames.
    public var filters: [String]?

    /// Nothing changes.
    public init() {}
  }

  /// Stops rendering until `resume()`. A run that has not begun begins paused.
  public func pause() {
    state.withLock {
      $0.isPaused = true
      $0.run?.pipeline.pause()
    }
  }

  /// Ends a pause.
  public func resume() {
    state.withLock {
      $0.isPaused = false
      $0.run?.pipeline.resume()
    }
  }

  /// Renders one more frame while the run is paused. Does nothing otherwise.
  public func step() { state.withLock { $0.run?.pipeline.step() } }

  /// Forgets steps that have not been taken.
  package func forgetSteps() { state.withLock { $0.run?.pipeline.forgetSteps() } }

  /// Renders the last frame again for windows, so that a change is seen while the run is paused, or nothing new comes.
  public func redraw() { state.withLock { $0.run?.pipeline.redraw() } }

  /// What has been done so far by the run in progress; nil: there is none.
  package var pipelineProgress: StreamPipeline.Progress? { state.withLock { $0.run }?.pipeline.progress }

  /// Runs `body` on the rendering thread before the next frame.
  package func changePipeline(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
    _ = state.withLock { $0.run }?.pipeline.change(name, body)
  }

  /// Changes how an output is rendered, from the next frame on. The event `.pipeline(.changed)` names the output and
  /// that frame; `.changeFailed` says that the change is impossible, and that nothing has changed.
  /// - Returns: false if no frames move, or they are not rendered for that output: the change is not made.
  /// - Throws: `Refusal` for values out of range, `FilterFailure`.
  @discardableResult
  public func change(_ change: Change) throws -> Bool {
    try change.mapping?.validate()
    let filters = try change.filters.map { try Filter.parsed($0) }
    guard let (pipeline, renderer) = state.withLock({ $0.run }), let renderer,
      let index = pipeline.progress.outputs.firstIndex(where: { $0.name == change.output && $0.isOpen })
    else { return false }
    return pipeline.change(change.output) { try renderer.change(index, change.mapping, filters) }
  }
}

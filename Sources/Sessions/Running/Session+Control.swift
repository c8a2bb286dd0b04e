internal import Filters
package import StreamPipeline
internal import Synchronization

/// Every call returns at once, from any thread, and takes effect between two frames, identified by an event.
extension Session {
  /// A change while frames are rendered.
  public struct Change: Sendable, Hashable, Codable {
    /// The output to change.
    public var output = Session.mainOutput
    /// The new mapping, to a display of the same kind; nil: unchanged.
    ///
    /// The peak of the plan's own output must not exceed the MaxCLL that its file already states.
    public var mapping: MappingRequest?
    /// The new filters; nil: unchanged. They must not change the size of the frames.
    public var filters: [String]?

    /// No change.
    public init() {}
  }

  /// Pauses rendering until `resume()`. A run that has not started starts paused.
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

  /// Discards pending steps.
  package func forgetSteps() { state.withLock { $0.run?.pipeline.forgetSteps() } }

  /// Renders the last frame again for windows, so that a change is visible while paused, or while no frame arrives.
  public func redraw() { state.withLock { $0.run?.pipeline.redraw() } }

  /// Progress of the current run; nil: none.
  package var pipelineProgress: StreamPipeline.Progress? { state.withLock { $0.run }?.pipeline.progress }

  /// Runs `body` on the rendering thread before the next frame.
  package func changePipeline(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
    _ = state.withLock { $0.run }?.pipeline.change(name, body)
  }

  /// Changes the rendering of an output, from the next frame on. The event `.pipeline(.changed)` names the output and
  /// that frame; `.changeFailed` reports that the change is impossible, and that nothing has changed.
  /// - Returns: false if no run is in progress, or it does not render frames for that output: nothing is changed.
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

internal import Frames
internal import Media
internal import Synchronization

// Every call returns at once, from any thread, and takes effect between two frames.
extension StreamPipeline {
  /// Ends the run: nothing more is read, and deliveries of a live source are ignored. What was read is still rendered
  /// and written, even if the pipeline is paused. An error that the interruption leads to in a file is ignored. From any
  /// thread.
  public func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    inlet.cancel()
    if case .file(let source) = origin { source.interrupt() }
  }

  /// Stops rendering until `resume()`. A file waits. A live source keeps delivering: its oldest frames are dropped, and
  /// its passing data goes on to the sinks. From any thread.
  ///
  /// The event `.paused` names the frame after which it took effect. There is none if `resume()` comes first.
  public func pause() { inlet.setHeld(true) }

  /// Ends a pause, and forgets steps that have not been taken. From any thread.
  public func resume() { inlet.setHeld(false) }

  /// Renders one more frame while the pipeline is paused, as soon as there is one. Does nothing otherwise. From any
  /// thread.
  public func step() { inlet.step() }

  /// Forgets steps that have not been taken. From any thread.
  public func forgetSteps() { inlet.forgetSteps() }

  /// Renders the last frame once more for the outputs that show the latest, so that a change or another size is seen while
  /// nothing new comes. If a new frame comes first, nothing happens. From any thread.
  public func redraw() { if keepsLast { inlet.redraw() } }

  /// Runs `body` on the rendering thread before the next frame is rendered. The event `.changed` names that frame. From
  /// any thread.
  ///
  /// Changes are made in the order of the calls, and each exactly once: if no frame follows, at the end of the run.
  /// While the pipeline is paused they wait for the next step, or for `redraw()`.
  /// - Parameters:
  ///   - name: What the event calls the change.
  ///   - body: Makes the change. It never runs at the same time as `render`. An error that it throws is an event.
  /// - Returns: false if the run has ended; `body` is not called then.
  @discardableResult
  public func change(_ name: String, _ body: @escaping @Sendable () throws -> Void) -> Bool {
    changes.add(ChangeList.Change(name: name, body: body))
  }
}

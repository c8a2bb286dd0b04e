internal import Frames
internal import Media
internal import Synchronization

// Every call returns immediately, from any thread, and takes effect between two frames.
extension StreamPipeline {
  /// Ends the run: nothing more is read, and deliveries of a live source are ignored. Frames already read are still
  /// rendered and written, even if the pipeline is paused. Errors in a file caused by the interruption are ignored.
  /// From any thread.
  public func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    inlet.cancel()
    if case .file(let source) = origin { source.interrupt() }
  }

  /// Stops rendering until `resume()`. Reading a file stops, too. A live source keeps delivering: its oldest frames are
  /// dropped, and its passing data is still forwarded to the sinks. From any thread.
  ///
  /// The event `.paused` names the last frame before the pause. It is not sent if `resume()` comes first.
  public func pause() { inlet.setHeld(true) }

  /// Ends a pause and cancels pending steps. From any thread.
  public func resume() { inlet.setHeld(false) }

  /// Renders one more frame while the pipeline is paused, as soon as one is available. Otherwise does nothing. From any
  /// thread.
  public func step() { inlet.step() }

  /// Cancels pending steps. From any thread.
  public func forgetSteps() { inlet.forgetSteps() }

  /// Renders the last frame again for outputs that show the latest frame, so that a change or a new size is visible
  /// without a new frame. If a new frame arrives first, nothing happens. From any thread.
  public func redraw() { if keepsLast { inlet.redraw() } }

  /// Runs `body` on the rendering thread before the next frame is rendered. The event `.changed` names that frame. From
  /// any thread.
  ///
  /// Changes are made in the order of the calls, each exactly once: if no frame follows, at the end of the run. While
  /// the pipeline is paused, they wait for the next step, or for `redraw()`.
  /// - Parameters:
  ///   - name: Name of the change in the event.
  ///   - body: Makes the change. It never runs concurrently with `render`. Errors that it throws are reported as
  ///     events.
  /// - Returns: false if the run has ended; `body` is then not called.
  @discardableResult
  public func change(_ name: String, _ body: @escaping @Sendable () throws -> Void) -> Bool {
    changes.add(ChangeList.Change(name: name, body: body))
  }
}

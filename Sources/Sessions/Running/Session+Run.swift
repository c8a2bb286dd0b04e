internal import FFmpegIO
package import Frames
package import Media
package import StreamPipeline
internal import Synchronization
internal import Threads

/// The run loop.
extension Session {
  /// The movement of frames from a source to outputs.
  package struct Run {
    var origin: StreamPipeline.Origin
    /// The outputs; the first is the main one, which is essential. An `OutputSink` is a file to finish.
    package var outputs: [StreamPipeline.Output]
    /// Name of the input; nil without an input, in which case having no frames is not an error.
    package var inputName: String?
    package var totalFrames: Int?
    package var frameRate: Double?
    /// Commits everything before an error of the input.
    package var salvages = false
    /// Handling of a partial main output.
    var partial = PartialOutput.whole
    /// Input state before reading: if it has changed, the output is incomplete; nil: endless or checked elsewhere.
    var input: InputState?
    /// Maximum number of frames of a live source waiting to be rendered.
    package var capacity = 2
    /// Maximum age at which frames of a live source are rendered; nil: any age.
    package var maximumAge: Duration?
    /// Called before the first frame moves, when the run can be paused and changed.
    package var onBegin: @Sendable () throws -> Void = {}
    /// Receives the events of the pipeline besides the session's listeners.
    package var onEvent: @Sendable (StreamPipeline.Event) -> Void = { _ in }

    /// Frames that do not come from an input.
    package init(source: any FrameSource, to sink: any FrameSink) { self.init(origin: .file(source), to: sink) }

    /// Frames of a file or live source.
    package init(origin: StreamPipeline.Origin, to sink: any FrameSink) {
      self.origin = origin
      outputs = [StreamPipeline.Output(name: Session.mainOutput, sink: sink)]
    }

    /// The selected frames of an input, and the packets of the passed streams.
    package init(_ reader: any MediaInput, _ selection: SelectionPlan, passed: [Int] = [], to sink: any FrameSink) {
      self.init(source: SelectedMedia(reader, selection, passed: passed), to: sink)
      inputName = reader.info.url
      totalFrames = selection.selection.expectedFrames(of: reader)
      frameRate = reader.video.frameRate?.value
    }

    /// Progress includes the bytes of the first file.
    package var countsBytes = true

    /// Outputs that write files.
    var files: [any OutputSink] { outputs.compactMap { $0.sink as? any OutputSink } }

    /// The first output that is a file; nil if none is written.
    var file: (any OutputSink)? { files.first }
  }

  /// Naming of a partial output.
  enum PartialOutput {
    /// As if it were complete: a recording ends when it is stopped.
    case whole
    /// With a name that marks it as partial.
    case named
    /// With its final name, and a mark.
    case marked
  }

  /// The result of a run.
  package struct RunResult {
    package var progress: Progress
    package var outcome = Outcome.finished
    package var pipeline: StreamPipeline.Progress
    var losses = OutputLosses()
    /// The first error; nothing unfinished is left behind.
    package var failure: (any Error)?
  }

  /// Moves all frames to the only output, until the end or `cancel()`, and finishes it.
  /// - Parameter render: Converts a frame read to the frame to write.
  /// - Returns: The result, and whether it was cancelled.
  /// - Throws: The first error; nothing unfinished is left behind.
  @discardableResult
  package func perform(_ run: Run, _ render: (CodedFrame) throws -> CodedFrame = { $0 }) throws -> RunResult {
    let done = attempt(run) { frame, _ in [.frame(try render(frame))] }
    if let failure = done.failure { throw failure }
    return done
  }

  /// Moves all frames, until the end or `cancel()`, and finishes the outputs.
  /// - Parameters:
  ///   - renderer: The renderer changed by `change(_:)`; nil: no changes.
  ///   - render: Converts a frame read to the frames to write, one per output.
  /// - Returns: The result, whether it was cancelled, and the failure.
  package func attempt(
    _ run: Run, changing renderer: StreamRenderer? = nil,
    _ render: (CodedFrame, StreamPipeline.OutputSet) throws -> [StreamPipeline.Rendered]
  ) -> RunResult {
    let pipeline = StreamPipeline(run) { [self] event in
      emit(.pipeline(event))
      run.onEvent(event)
    }
    let discards = run.files.map { file in removing { file.discard() } }
    defer { keep(discards) }
    follow(pipeline, renderer)
    defer { endFollowing() }
    let ticker = ProgressTicker(self, pipeline, run)
    ticker.begin()
    var result = RunResult(progress: Progress(), pipeline: pipeline.progress)
    do {
      try run.onBegin()
      if try pipeline.run(render) == .cancelled { result.outcome = .cancelled }
      if result.outcome == .finished, pipeline.progress.frames == 0, let name = run.inputName {
        throw Refusal.failed(.noFramesSelected(name))
      }
      if result.outcome == .finished {
        do { try run.input?.check(after: pipeline.progress.frames) } catch {
          if run.partial == .whole { throw error }
          // If the input has changed, no output is complete.
          result.failure = error
        }
      }
      let partial = result.failure != nil ? .named : result.outcome == .cancelled ? run.partial : .whole
      result.losses = try finish(run.outputs, pipeline.progress, partial)
      let partialName = result.losses.partialName
      state.withLock { $0.partialName = partialName }
      if let partialName {
        warn(
          "partial-output",
          "The part that was encoded is in '\(partialName)' (\(.keepPartialName) keeps the requested name).")
      }
      ticker.end()
    } catch {
      ticker.end()
      // Keep an output that cannot be made again, finished or not.
      if run.salvages, pipeline.progress.frames > 0, (try? run.file?.finish()) == nil { run.file?.discard() }
      for file in run.files { file.cancel() }
      result.failure = error
    }
    (result.progress, result.pipeline) = (ticker.progress, pipeline.progress)
    return result
  }

  /// Finishes the files of outputs that are still open, and removes those that got no frame or have failed.
  /// - Parameter partial: Handling of a partial main output.
  /// - Returns: Losses of the main output; those of others are reported here.
  private func finish(
    _ outputs: [StreamPipeline.Output], _ progress: StreamPipeline.Progress, _ partial: PartialOutput
  ) throws -> OutputLosses {
    var losses = OutputLosses()
    for (output, done) in zip(outputs, progress.outputs) {
      guard let file = output.sink as? any OutputSink else { continue }
      guard done.isOpen, done.frames > 0 else {
        file.cancel()
        continue
      }
      do {
        let isMain = output.name == Self.mainOutput
        let own =
          try isMain && partial != .whole ? file.finishPartial(keepsName: partial == .marked) : file.finish()
        if isMain {
          losses = own
        } else {
          warn(own.messages)
          if let failure = own.failure { throw failure }
        }
      } catch {
        guard output.fate == .optional else { throw error }
        file.cancel()
        emit(.pipeline(.failed(output: output.name, error: error)))
      }
    }
    return losses
  }

  /// Reports losses of the output and damage of the input, and completes the files beside the output.
  /// - Parameters:
  ///   - reader: The input; nil: none.
  ///   - selection: The selection that was read.
  ///   - beside: Completes other files.
  ///   - report: Reports the failure, if any; returns the error to throw for it.
  /// - Throws: The failure if a file is incomplete, or the error that ended the input before the end of the selection.
  package func conclude(
    _ done: RunResult, _ reader: (any MediaInput)? = nil, _ selection: FrameSelection? = nil,
    beside: () throws -> Void = {}, reporting report: ((any Error)?) throws -> (any Error)? = { $0 }
  ) throws -> Outcome {
    warn(done.losses.messages + (reader?.damage ?? []))
    var failure: (any Error)? = done.losses.failure
    // Cancelled before there was any output to complete.
    let isEmpty = done.progress.frames == 0
    do { if !isEmpty { try beside() } } catch { failure = failure ?? error }
    let isComplete = failure == nil && !isEmpty
    if isComplete, done.outcome == .finished, let selection {
      do { try reader?.checkEnding(of: selection) } catch { failure = error }
    }
    do { failure = try report(failure) } catch { failure = failure ?? error }
    if isComplete { emit(.finished(done.progress)) }
    if let failure { throw failure }
    return done.outcome
  }

  /// Registers the pipeline. One that is already cancelled or paused renders no frame.
  private func follow(_ pipeline: StreamPipeline, _ renderer: StreamRenderer?) {
    state.withLock {
      $0.run = (pipeline, renderer)
      if $0.isPaused { pipeline.pause() }
      if $0.isCancelled { pipeline.cancel() }
    }
  }

  private func endFollowing() { state.withLock { ($0.run, $0.isPaused) = (nil, false) } }

  /// Runs `body` between `.began` and `.ended`: files are created in between, so that unfinished ones can be removed if
  /// the process exits.
  package func running<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isFirst = state.withLock { state in
      state.depth += 1
      return state.depth == 1
    }
    if isFirst { emit(.began) }
    defer {
      let isOver = state.withLock { state in
        state.depth -= 1
        if state.depth == 0 { (state.discards, state.onCancel) = ([:], nil) }
        return state.depth == 0
      }
      if isOver { emit(.ended) }
    }
    return try body()
  }

  /// Adds a closure that runs if the process exits during a run.
  /// - Returns: Its number, for `keep`.
  @discardableResult
  package func removing(_ discard: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.discardCount += 1
      state.discards[state.discardCount] = discard
      return state.discardCount
    }
  }

  /// Drops closures of `removing` once the files are renamed or removed. A run may write thousands of files.
  func keep(_ discards: [Int]) { state.withLock { state in for number in discards { state.discards[number] = nil } } }
}

extension StreamPipeline {
  fileprivate convenience init(_ run: Session.Run, onEvent: @escaping @Sendable (Event) -> Void) {
    switch run.origin {
    case .file(let source): self.init(source: source, outputs: run.outputs, onEvent: onEvent)
    case .live(let source):
      self.init(
        source: source, outputs: run.outputs, capacity: run.capacity, maximumAge: run.maximumAge, onEvent: onEvent)
    }
  }
}

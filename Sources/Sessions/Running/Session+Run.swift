internal import FFmpegIO
internal import Frames
internal import Media
internal import StreamPipeline
internal import Synchronization
internal import Threads

/// The one run loop.
extension Session {
  /// The movement of frames from a source to outputs.
  struct Run {
    var origin: StreamPipeline.Origin
    /// The main one first, which is essential. Those that are an `OutputSink` are files to be finished.
    var outputs: [StreamPipeline.Output]
    /// The input's name; nil if there is none, in which case it is not an error to have no frames.
    var inputName: String?
    var totalFrames: Int?
    var frameRate: Double?
    /// What precedes an error of the input is committed.
    var salvages = false

    /// Frames that are not read from an input.
    init(source: any FrameSource, to sink: any FrameSink) {
      origin = .file(source)
      outputs = [StreamPipeline.Output(name: Session.mainOutput, sink: sink)]
    }

    /// The selected frames of an input, and the packets of the passed streams.
    init(_ reader: any MediaInput, _ selection: SelectionPlan, passed: [Int] = [], to sink: any FrameSink) {
      self.init(source: SelectedMedia(reader, selection, passed: passed), to: sink)
      inputName = reader.info.url
      totalFrames = selection.selection.expectedFrames(of: reader)
      frameRate = reader.video.frameRate?.value
    }

    /// The main output's file; nil if nothing is written.
    var file: (any OutputSink)? { outputs[0].sink as? any OutputSink }
  }

  /// The result of a run.
  struct RunResult {
    var progress: Progress
    var outcome: Outcome
    var pipeline: StreamPipeline.Progress
    var losses: OutputLosses
  }

  /// Moves all frames to the only output, until the end or `cancel()`, and finishes it.
  /// - Parameter render: Makes the frame to write from one that was read.
  /// - Returns: What was done, and whether it was cancelled.
  /// - Throws: The first error; nothing unfinished is left behind.
  @discardableResult
  func perform(_ run: Run, _ render: (CodedFrame) throws -> CodedFrame = { $0 }) throws -> RunResult {
    try perform(run) { frame, _ in [.frame(try render(frame))] }
  }

  /// Moves all frames, until the end or `cancel()`, and finishes the outputs.
  /// - Parameters:
  ///   - renderer: The renderer that `change(_:)` changes; nil: nothing can be changed.
  ///   - render: Makes the frames to write, one for each output, from one that was read.
  /// - Returns: What was done, and whether it was cancelled.
  /// - Throws: The first error; nothing unfinished is left behind.
  func perform(
    _ run: Run, changing renderer: StreamRenderer? = nil,
    _ render: (CodedFrame, StreamPipeline.OutputSet) throws -> [StreamPipeline.Rendered]
  ) throws -> RunResult {
    let pipeline = StreamPipeline(run.origin, outputs: run.outputs) { [self] in emit(.pipeline($0)) }
    follow(pipeline, renderer)
    defer { endFollowing() }
    let ticker = ProgressTicker(self, pipeline, run)
    ticker.begin()
    var losses = OutputLosses()
    let outcome: StreamPipeline.Outcome
    do {
      outcome = try pipeline.run(render)
      if outcome == .finished, pipeline.progress.frames == 0, let name = run.inputName {
        throw Refusal.failed(.input(.nothingSelected(name: name)))
      }
      losses = try finish(run.outputs, pipeline.progress)
      ticker.end()
    } catch {
      ticker.end()
      if run.salvages, pipeline.progress.frames > 0 { _ = try? run.file?.finish() }
      for case let file as any OutputSink in run.outputs.map(\.sink) { file.cancel() }
      throw error
    }
    return RunResult(
      progress: ticker.progress, outcome: outcome == .cancelled ? .cancelled : .finished, pipeline: pipeline.progress,
      losses: losses)
  }

  /// Finishes the files of outputs that are still open, and removes those that got no frame or have failed.
  private func finish(_ outputs: [StreamPipeline.Output], _ progress: StreamPipeline.Progress) throws -> OutputLosses {
    var losses = OutputLosses()
    for (output, done) in zip(outputs, progress.outputs) {
      guard let file = output.sink as? any OutputSink else { continue }
      guard done.isOpen, done.frames > 0 else {
        file.cancel()
        continue
      }
      do {
        let own = try file.finish()
        losses = OutputLosses(losses.sentences + own.sentences, failure: losses.failure ?? own.failure)
      } catch  where output.fate == .optional {
        file.cancel()
        emit(.pipeline(.failed(output: output.name, error: error)))
      }
    }
    return losses
  }

  /// Reports losses of the output and damage of the input, and completes the files beside the output.
  /// - Parameters:
  ///   - reader: The input; nil if there is none.
  ///   - selection: What was to be read of it.
  ///   - beside: Completes other files.
  ///   - report: Reports the failure, if there is one; returns the error to throw for it.
  /// - Throws: The failure if a file is incomplete, or the error that ended the input before the end of the selection.
  func conclude(
    _ done: RunResult, _ reader: (any MediaInput)? = nil, _ selection: FrameSelection? = nil,
    beside: () throws -> Void = {}, reporting report: ((any Error)?) throws -> (any Error)? = { $0 }
  ) throws -> Outcome {
    warn(done.losses.diagnostics + (reader?.damage ?? []))
    var failure: (any Error)? = done.losses.failure
    do { try beside() } catch { failure = failure ?? error }
    let isComplete = failure == nil
    let isCancelled = isCancelled
    if isComplete, !isCancelled, let selection {
      do { try reader?.checkEnding(of: selection) } catch { failure = error }
    }
    failure = try report(failure)
    if isComplete { emit(.finished(done.progress)) }
    if let failure { throw failure }
    return isCancelled ? .cancelled : .finished
  }

  /// A pipeline that is already cancelled renders no frame.
  private func follow(_ pipeline: StreamPipeline, _ renderer: StreamRenderer?) {
    state.withLock {
      $0.run = (pipeline, renderer)
      if $0.isCancelled { pipeline.cancel() }
    }
  }

  private func endFollowing() { state.withLock { $0.run = nil } }

  /// Runs `body` between `.began` and `.ended`, with closures that remove unfinished output if the process exits
  /// meanwhile.
  func running<Result>(discards: [@Sendable () -> Void] = [], _ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.discards += discards }
    emit(.began)
    defer {
      state.withLock { $0.discards = [] }
      emit(.ended)
    }
    return try body()
  }

  /// Adds a closure that runs if the process exits during a run.
  func removing(_ discard: @escaping @Sendable () -> Void) { state.withLock { $0.discards.append(discard) } }
}

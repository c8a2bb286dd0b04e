internal import Capture
internal import Displays
internal import Foundation
internal import Media
internal import Preview
internal import StreamPipeline
internal import Synchronization
internal import Threads

extension PreviewRun {
  func initializeStatus() {
    state.withLock { state in
      state.status.source = plan.format
      state.status.exposure = plan.request.mapping.exposure
      state.status.curve = curveName(state.view)
      state.status.isRecording = recording.isOn
      (state.status.sdrWhite, state.status.headroom) = (state.view.sdrWhite, state.view.headroom)
      state.status.referenceMode = plan.target.referenceMode.flatMap { mode in
        [.enabled, .limited].contains(mode) ? "reference mode: \(mode.rawValue)" : nil
      }
    }
    showStatus()
  }

  func showStatus() {
    guard let screen = output.screen else { return }
    screen.show(state.withLock { $0.status })
  }

  /// What was shown, in the end.
  func summarize(_ progress: StreamPipeline.Progress) {
    let shown = progress.outputs[0]
    session.note([
      .preview(
        .shown(
          frames: shown.frames, dropped: progress.droppedBeforeRendering + shown.dropped + skippedFrames,
          lost: progress.lost))
    ])
    if let latency = shown.latency {
      session.note([
        .preview(.latency(median: latency.median.milliseconds, highest: latency.percentile99.milliseconds))
      ])
    }
    let unrecorded = progress.outputs[1].dropped
    if unrecorded > 0 { session.warn([.preview(.recordingDropped(unrecorded))]) }
  }

  /// - Throws: `OutputError`.
  func writeReport(_ done: Session.RunResult) throws {
    guard let name = plan.request.report else { return }
    let shown = done.pipeline.outputs[0]
    let latency = shown.latency.map { latency in
      [
        "median": latency.median.milliseconds, "percentile_99": latency.percentile99.milliseconds,
        "largest": latency.largest.milliseconds,
      ]
    }
    let recorded = done.pipeline.outputs[1]
    let object = JSON.fields([
      ("headroom", Program.version), ("status", done.outcome.rawValue), ("input", plan.request.input.name),
      ("format", plan.format), ("mapping", plan.target.summary(from: plan.source)), ("frames", shown.frames),
      ("seconds", done.progress.seconds),
      ("dropped", done.pipeline.droppedBeforeRendering + shown.dropped + skippedFrames),
      ("lost", done.pipeline.lost), ("latency_ms", latency), ("recorded", recorded.frames),
      ("recording_dropped", recorded.dropped),
    ])
    try OutputFile(name, replaces: plan.request.overwrites).write(JSON.text(object) + "\n")
  }
}

extension Duration {
  fileprivate var milliseconds: Double { self / .milliseconds(1) }
}

/// Looks after a preview from a thread of its own: the status, and whether rendering keeps up.
final class PreviewObserver: @unchecked Sendable {
  // @unchecked: `hasEnded` is read and written with `condition` locked; the rest belongs to the observing thread.
  private let run: PreviewRun
  private let threads = ThreadGroup()
  private let condition = NSCondition()
  private var hasEnded = false
  private var adaptation: RenderAdaptation
  private var last: (progress: StreamPipeline.Progress, time: ContinuousClock.Instant)?

  private static let interval = 0.5

  init(_ run: PreviewRun) {
    self.run = run
    let adapts = run.plan.request.adapts && run.plan.isLive
    adaptation = RenderAdaptation(
      canScale: adapts && run.output.screen != nil, lowerRates: adapts ? max((run.device?.rates.count ?? 0) - 1, 0) : 0)
  }

  func begin() {
    // Without a thread the status stays as it is.
    try? threads.start { [self] in
      while waitForNext() { observe() }
    }
  }

  func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
    threads.wait()
  }

  /// - Returns: false at the end.
  private func waitForNext() -> Bool {
    condition.withLock {
      let next = Date(timeIntervalSinceNow: Self.interval)
      while !hasEnded, condition.wait(until: next) {}
      return !hasEnded
    }
  }

  private func observe() {
    guard let progress = run.session.pipelineProgress else { return }
    let now = ContinuousClock.now
    defer { last = (progress, now) }
    let dropped = progress.droppedBeforeRendering + progress.outputs[0].dropped + run.skippedFrames
    let isPaused = run.state.withLock { state in
      state.status.dropped = dropped
      state.status.lost = progress.lost
      state.status.recordingDropped = progress.outputs[1].dropped
      state.status.latency = progress.outputs[0].latency.map {
        ($0.median / .seconds(1), $0.percentile99 / .seconds(1))
      }
      return state.isPaused
    }
    if let last {
      let before = last.progress
      let sample = RenderAdaptation.Sample(
        seconds: (now - last.time) / .seconds(1), shown: progress.outputs[0].frames - before.outputs[0].frames,
        dropped: progress.droppedBeforeRendering + progress.outputs[0].dropped - before.droppedBeforeRendering
          - before.outputs[0].dropped, rendering: progress.rendering - before.rendering)
      run.state.withLock { $0.status.rate = Double(sample.shown) / max(sample.seconds, 1e-3) }
      if !isPaused, let action = adaptation.update(sample) { run.adapt(action, step: adaptation.rateSteps) }
    }
    run.showStatus()
  }
}

extension PreviewRun {
  /// Makes rendering cheaper, or as it was.
  /// - Parameter step: How many rates below that of the mode.
  fileprivate func adapt(_ action: RenderAdaptation.Action, step: Int) {
    switch action {
    case .halveScale, .restoreScale:
      scale.isHalved = action == .halveScale
      state.withLock { $0.status.renderScale = scale.isHalved ? 0.5 : 1 }
      session.changePipeline(Self.scaleChange) { [self] in refresh() }
      report(.scale(isHalved: scale.isHalved))
    case .lowerRate, .raiseRate:
      guard let device, device.rates.indices.contains(step) else { return }
      device.setRate(device.rates[step])
    }
  }

  private static let scaleChange = "scale"
}

internal import Capture
internal import Displays
internal import Foundation
internal import Frames
internal import Media
internal import Preview
internal import Sessions
internal import StreamPipeline
internal import Synchronization
internal import Threads

extension PreviewRun {
  func initializeStatus() {
    state.withLock { state in
      state.nameSource()
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

  /// Returns the number of frames that could not be shown in time, without those that passed during a pause.
  func droppedFrames(_ progress: StreamPipeline.Progress) -> Int {
    let passed = state.withLock { $0.passedInPause }
    let late = progress.droppedBeforeRendering + (progress.outputs.first?.dropped ?? 0) + skippedFrames
    return max(late - passed, 0)
  }

  /// Reports what was shown, at the end.
  func summarize(_ progress: StreamPipeline.Progress) {
    let shown = progress.outputs[0]
    let lost = progress.lost > 0 ? ", \(progress.lost) lost before they arrived." : "."
    session.note(
      "frames-shown", "\(shown.frames.counting("frame")) shown, \(droppedFrames(progress)) dropped\(lost)")
    if let latency = shown.latency {
      let (median, highest) = (latency.median.milliseconds, latency.percentile99.milliseconds)
      session.note(
        "latency",
        "Latency from capture to presentation: \(median.words(decimals: 1)) ms, 99 % within "
          + "\(highest.words(decimals: 1)) ms.")
    }
    let unrecorded = state.withLock { $0.unrecorded }
    if unrecorded > 0 {
      session.warn(
        "recording-lacks-frames",
        "The recording lacks \(unrecorded.counting("frame")), which came faster than they could be recorded: choose a "
          + "faster \(.preset) or encoder.")
    }
  }

  /// - Throws: `OutputError`.
  func writeReport(_ done: Session.RunResult, _ failure: (any Error)?) throws {
    guard let name = plan.request.report else { return }
    let shown = done.pipeline.outputs[0]
    let latency = shown.latency.map { latency in
      [
        "median": latency.median.milliseconds, "percentile_99": latency.percentile99.milliseconds,
        "largest": latency.largest.milliseconds,
      ]
    }
    let object = JSON.fields([
      ("headroom", Program.version), ("status", failure == nil ? done.outcome.rawValue : "failed"),
      ("error", failure.map(session.wording.error)), ("input", plan.request.input.name), ("format", plan.format),
      ("mapping", plan.target.summary(from: plan.source)), ("frames", shown.frames),
      ("seconds", done.progress.seconds), ("dropped", droppedFrames(done.pipeline)), ("lost", done.pipeline.lost),
      ("latency_ms", latency), ("recorded", recording.frameCount),
      ("recording_dropped", state.withLock { $0.unrecorded }),
    ])
    try OutputFile(name, replaces: plan.request.overwrites).write(JSON.text(object) + "\n")
  }
}

extension PreviewRun.State {
  /// Records the colour description with which frames are read.
  mutating func follow(_ color: ColorDescription) {
    guard color != self.color else { return }
    self.color = color
    nameSource()
  }

  /// Records a change of the signal format.
  mutating func follow(_ format: String) {
    self.format = format
    nameSource()
  }

  mutating func nameSource() { status.source = "\(format), \(color.signal)" }
}

extension Duration {
  fileprivate var milliseconds: Double { self / .milliseconds(1) }
}

/// Monitors a preview on a separate thread: updates the status, and adapts rendering.
final class PreviewObserver: @unchecked Sendable {
  // @unchecked: mutable state belongs to the observing thread.
  private let run: PreviewRun
  private let thread = RepeatingThread(every: 0.5)
  private var adaptation: RenderAdaptation
  /// Recent samples, oldest first.
  private var seen: [(progress: StreamPipeline.Progress, time: ContinuousClock.Instant)] = []

  /// Number of intervals over which the frame rate is averaged.
  private static let span = 4

  init(_ run: PreviewRun) {
    self.run = run
    adaptation = RenderAdaptation(canScale: run.output.screen != nil && run.adapts, lowerRates: run.lowerRates.count)
  }

  func begin() {
    // Without a thread the status is not updated.
    try? thread.begin { [self] in observe() }
  }

  func end() { thread.end() }

  private func observe() {
    guard let progress = run.session.pipelineProgress else { return }
    let now = ContinuousClock.now
    let dropped = run.droppedFrames(progress)
    let (isPaused, isNew) = run.state.withLock { state in
      defer { state.hasNewMode = false }
      (state.status.dropped, state.status.lost) = (dropped, progress.lost)
      state.status.latency = progress.outputs[0].latency.map {
        ($0.median / .seconds(1), $0.percentile99 / .seconds(1))
      }
      return (state.isPaused, state.hasNewMode)
    }
    if isNew { adaptation.forgetRate() }
    if let first = seen.first, let last = seen.last {
      let shown = progress.outputs[0].frames
      let rate = Double(shown - first.progress.outputs[0].frames) / max((now - first.time) / .seconds(1), 1e-3)
      run.state.withLock { $0.status.rate = rate }
      let before = last.progress
      let sample = RenderAdaptation.Sample(
        seconds: (now - last.time) / .seconds(1), shown: shown - before.outputs[0].frames,
        dropped: progress.droppedBeforeRendering + progress.outputs[0].dropped - before.droppedBeforeRendering
          - before.outputs[0].dropped, rendering: progress.rendering - before.rendering, isRecording: run.recording.isOn
      )
      if !isPaused, let action = adaptation.update(sample) { run.adapt(action, step: adaptation.rateSteps) }
    }
    seen = seen.suffix(Self.span - 1) + [(progress, now)]
    run.showStatus()
  }
}

extension PreviewRun {
  fileprivate var adapts: Bool { plan.request.adapts && plan.isLive }

  /// Device rates below the mode's rate, highest first.
  fileprivate var lowerRates: [Rational] {
    guard adapts, let device, let rate = plan.rate else { return [] }
    return device.rates.filter { $0.value < rate.value * 0.999 }
  }

  /// Makes rendering cheaper, or undoes that.
  /// - Parameter step: Number of rates below the mode's rate.
  fileprivate func adapt(_ action: RenderAdaptation.Action, step: Int) {
    switch action {
    case .halveScale, .restoreScale: setScale(isHalved: action == .halveScale)
    case .lowerRate, .raiseRate:
      let rates = lowerRates
      device?.setRate(step > 0 && step <= rates.count ? rates[step - 1] : nil)
    }
  }
}

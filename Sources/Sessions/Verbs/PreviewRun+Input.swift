internal import Capture
internal import Frames
internal import Preview
internal import StreamPipeline
internal import Synchronization
internal import ToneMapping

// What people, the device and the pipeline say, on threads of theirs.
extension PreviewRun {
  /// A person has done something at the screen.
  func hear(_ input: ScreenInput) {
    switch input {
    case .command(let command): carryOut(command)
    case .areaChanged: session.redraw()
    case .pointerMoved: if isStill { session.redraw() }
    case .closed: session.cancel()
    }
  }

  /// No frame comes by itself.
  var isStill: Bool { state.withLock { $0.isPaused || $0.status.fault != nil } || seeking?.hasEnded ?? false }

  private func carryOut(_ command: PreviewCommand) {
    switch command {
    case .quit: session.cancel()
    case .togglePause: togglePause()
    case .step: session.step()
    case .snapshot:
      state.withLock { $0.wantsSnapshot = true }
      session.redraw()
    case .toggleRecording: toggleRecording()
    // The screen's own.
    case .toggleFullScreen, .toggleStatus, .toggleHelp: break
    default: changeView(command)
    }
  }

  func togglePause() { setPaused(nil) }

  /// - Parameter isWanted: nil: the opposite of what is.
  /// - Returns: Whether that changes anything.
  @discardableResult
  func setPaused(_ isWanted: Bool?) -> Bool {
    let change = state.withLock { state -> Bool? in
      let wanted = isWanted ?? !state.isPaused
      guard wanted != state.isPaused else { return nil }
      state.isPaused = wanted
      return wanted
    }
    guard let isPaused = change else { return false }
    paced?.setHeld(isPaused)
    if isPaused { session.pause() } else { session.resume() }
    showStatus()
    return true
  }

  func toggleRecording() {
    if state.withLock({ $0.recordingFailure != nil }) { return }
    // A recording of a file has every frame, from its first one on.
    paced?.setKeepsAll(true)
    defer { paced?.setKeepsAll(recording.isOn) }
    guard recording.toggle() else { return say(.cannotRecordAgain) }
    state.withLock { $0.status.isRecording = recording.isOn }
    showStatus()
  }

  /// Changes how the light is looked at, from the next frame on.
  private func changeView(_ command: PreviewCommand) {
    if plan.request.following != nil,
      [.raiseHeadroom, .lowerHeadroom, .raiseSDRWhite, .lowerSDRWhite].contains(command)
    {
      return say(.displayDecides)
    }
    let (view, isChanged) = state.withLock { state in
      let isChanged = state.view.apply(command)
      return (state.view, isChanged)
    }
    guard isChanged else {
      if command == .raiseSDRWhite { sayWhiteIsThePeak(view) }
      return
    }
    do {
      try change(to: view)
    } catch {
      undo(view, error)
    }
    session.redraw()
  }

  private func sayWhiteIsThePeak(_ view: PreviewView) {
    let limit = Diagnostic.outOfRange(.sdrWhite, "more", "1", "\(view.peak.words(decimals: 1)) cd/m², the peak")
    say(.isImpossible(session.wording.diagnostic(limit)))
  }

  /// A view is that of what is shown now.
  func adopt(_ view: PreviewView) {
    state.withLock { state in
      state.shownView = view
      state.status.exposure = plan.request.mapping.exposure + view.exposure
      state.status.isEDROn = view.isEDROn
      state.status.curve = curveName(view)
    }
  }

  /// A view is impossible: what is shown stays, and keys go on from there.
  func undo(_ view: PreviewView, _ error: any Error) {
    state.withLock { state in
      if state.view == view { state.view = state.shownView }
    }
    say(.isImpossible(session.wording.error(error)))
  }

  /// The pipeline has done something.
  func note(_ event: StreamPipeline.Event) {
    switch event {
    case .failed(Self.recordingName, let error):
      state.withLock { state in
        state.recordingFailure = error
        state.status.isRecording = false
      }
      report(.recordingFailed(session.wording.error(error)), isWarning: true)
    case .dropped(Self.recordingName, _): countUnrecorded()
    case .droppedBeforeRendering(_, let format):
      state.withLock { if $0.isPaused { $0.passedInPause += 1 } }
      // Light is recorded of what is rendered only.
      if !isCopied(format), recording.isOn { countUnrecorded() }
    default: break
    }
  }

  private func countUnrecorded() {
    let isFirst = state.withLock { state in
      state.unrecorded += 1
      state.status.recordingDropped = state.unrecorded
      return state.unrecorded == 1
    }
    if isFirst { report(.recordingIsSlow, isWarning: true) }
  }

  func curveName(_ view: PreviewView) -> String {
    (view.curve ?? plan.request.mapping.staticCurve).name
  }

  /// The device tells what happens to it.
  func note(_ event: CaptureSource.Event) {
    switch event {
    case .noSignal(let loss): interrupted(by: loss.description, .noSignal(loss.description))
    case .unplugged:
      if plan.request.input.capture.waits { return interrupted(by: "unplugged", .unplugged) }
      // It ends now, also if it is paused.
      session.resume()
    case .signal(let setup):
      state.withLock {
        ($0.status.fault, $0.hasNewMode) = (nil, true)
        $0.follow("\(setup.mode)")
      }
      report(.signal("\(setup.mode)"))
    case .reconnected:
      state.withLock { ($0.status.fault, $0.hasNewMode) = (nil, true) }
      report(.reconnected)
    case .restarted(let code): report(.restarted(code: code), isWarning: true)
    case .rate(let rate): report(.rate(rate?.value))
    }
    showStatus()
  }

  private func interrupted(by fault: String, _ diagnostic: PreviewDiagnostic) {
    state.withLock { $0.status.fault = fault }
    report(diagnostic, isWarning: true)
    session.redraw()
  }

  /// A recording begins or is complete.
  func note(_ event: RecordingSink.FileEvent) {
    switch event {
    case .began(let name):
      if name != "-" { report(.records(name: name)) }
      // One that was requested has been warned of by the plan.
      if plan.request.recording == nil { session.warn(plan.recording.warnings) }
    case .ended(let name, let frames): report(.recorded(name: name, frames: frames))
    case .passedOver: countUnrecorded()
    case .kept(let name, let frames): report(.recordingIsKept(name: name, frames: frames), isWarning: true)
    }
  }

  /// Says something on the screen, and to whoever listens to the session.
  func report(_ diagnostic: PreviewDiagnostic, isWarning: Bool = false) {
    say(diagnostic)
    if isWarning { session.warn([.preview(diagnostic)]) } else { session.note([.preview(diagnostic)]) }
  }

  /// Says something on the screen, and to viewers.
  func say(_ diagnostic: PreviewDiagnostic) {
    let words = session.wording.diagnostic(.preview(diagnostic))
    state.withLock { $0.message = words }
    output.screen?.say(words)
  }
}

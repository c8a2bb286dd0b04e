internal import Capture
internal import Frames
internal import Preview
internal import Sessions
internal import StreamPipeline
internal import Synchronization
internal import ToneMapping

// Events from users, the device and the pipeline, each on its own thread.
extension PreviewRun {
  /// Handles user input at the screen.
  func hear(_ input: ScreenInput) {
    switch input {
    case .command(let command): carryOut(command)
    case .areaChanged: session.redraw()
    case .pointerMoved: if isStill { session.redraw() }
    case .closed: session.cancel()
    }
  }

  /// No further frame arrives unless requested.
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
    // Handled by the screen.
    case .toggleFullScreen, .toggleStatus, .toggleHelp: break
    default: changeView(command)
    }
  }

  func togglePause() { setPaused(nil) }

  /// - Parameter isWanted: nil: toggles.
  /// - Returns: Whether the state changes.
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
    // A recording of a file contains every frame from its start.
    paced?.setKeepsAll(true)
    defer { paced?.setKeepsAll(recording.isOn) }
    guard recording.toggle() else {
      return say(Message("no-second-recording", "Standard output cannot be recorded to again."))
    }
    state.withLock { $0.status.isRecording = recording.isOn }
    showStatus()
  }

  /// Changes the view, from the next frame on.
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
    let limit = Message.outOfRange(.sdrWhite, "more", "1", "\(view.peak.words(decimals: 1)) cd/m², the peak")
    say(.impossibleNow(session.wording.text(limit)))
  }

  /// Adopts a view that is now shown.
  func adopt(_ view: PreviewView) {
    state.withLock { state in
      state.shownView = view
      state.status.exposure = plan.request.mapping.exposure + view.exposure
      state.status.isEDROn = view.isEDROn
      state.status.curve = curveName(view)
    }
  }

  /// Rejects an impossible view: the shown view stays, and keys continue from it.
  func undo(_ view: PreviewView, _ error: any Error) {
    state.withLock { state in
      if state.view == view { state.view = state.shownView }
    }
    say(.impossibleNow(session.wording.error(error)))
  }

  /// Handles an event of the pipeline.
  func note(_ event: StreamPipeline.Event) {
    switch event {
    case .failed(Self.recordingName, let error):
      state.withLock { state in
        state.recordingFailure = error
        state.status.isRecording = false
      }
      report("recording-failed", "The recording has ended: \(session.wording.error(error))", isWarning: true)
    case .dropped(Self.recordingName, _): countUnrecorded()
    case .droppedBeforeRendering(_, let format):
      state.withLock { if $0.isPaused { $0.passedInPause += 1 } }
      // Light is recorded only from rendered frames.
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
    if isFirst { report("recording-slow", "The recording cannot keep up: it loses frames.", isWarning: true) }
  }

  func curveName(_ view: PreviewView) -> String {
    (view.curve ?? plan.request.mapping.staticCurve).name
  }

  /// Handles an event of the device.
  func note(_ event: CaptureSource.Event) {
    switch event {
    case .noSignal(let loss):
      interrupted(by: loss.description, "no-signal", "The device has \(loss): waiting for it.")
    case .unplugged:
      if plan.request.input.capture.waits {
        return interrupted(by: "unplugged", "device-unplugged", "The device was unplugged: waiting for it.")
      }
      // End now, even while paused.
      session.resume()
    case .signal(let setup):
      state.withLock {
        ($0.status.fault, $0.hasNewMode) = (nil, true)
        $0.follow("\(setup.mode)")
      }
      report("signal-found", "There is a signal: \(setup.mode).")
    case .reconnected:
      state.withLock { ($0.status.fault, $0.hasNewMode) = (nil, true) }
      report("device-reconnected", "The device is back.")
    case .restarted(0):
      report(
        "decoder-restarted", "The stream could not be decoded: its decoder was started again.", isWarning: true)
    case .restarted(let code):
      report(
        "device-restarted", "The device reported an error (errno \(code)) and was started again.", isWarning: true)
    case .rate(let rate):
      let words = rate.map { "\($0.value.words(decimals: 2)) fps" } ?? "at a rate of its own"
      report("device-rate", "The device sends \(words) now.")
    }
    showStatus()
  }

  private func interrupted(by fault: String, _ code: Message.Code, _ text: MessageText) {
    state.withLock { $0.status.fault = fault }
    report(code, text, isWarning: true)
    session.redraw()
  }

  /// Handles the start or end of a recording file.
  func note(_ event: RecordingSink.FileEvent) {
    switch event {
    case .began(let name):
      if name != "-" { report("recording-begun", "Recording to '\(name)'.") }
      // For a requested recording, the plan has already given the warnings.
      if plan.request.recording == nil { session.warn(plan.recording.warnings) }
    case .ended(let name, let frames):
      report("recording-complete", "Recorded \(frames.counting("frame")) to '\(name)'.")
    case .passedOver: countUnrecorded()
    case .kept(let name, let frames):
      report(
        "recording-kept", "'\(name)' holds the first \(frames.counting("frame")) of the recording.", isWarning: true)
    }
  }

  /// Reports a message on the screen and to the session's observers.
  func report(_ code: Message.Code, _ text: MessageText, isWarning: Bool = false) {
    report(Message(code, text), isWarning: isWarning)
  }

  /// Reports a message on the screen and to the session's observers.
  func report(_ message: Message, isWarning: Bool = false) {
    say(message)
    if isWarning { session.warn([message]) } else { session.note([message]) }
  }

  /// Shows a message on the screen and to viewers.
  func say(_ message: Message) {
    let words = session.wording.text(message)
    state.withLock { $0.message = words }
    output.screen?.say(words)
  }
}

extension Message {
  /// The light follows the display, and cannot be changed.
  static var displayDecides: Message { Message("display-decides", "The display that is followed decides that.") }

  /// The request is impossible at present: the reason, as a sentence.
  static func impossibleNow(_ reason: String) -> Message { Message("impossible-now", "\(reason)") }
}

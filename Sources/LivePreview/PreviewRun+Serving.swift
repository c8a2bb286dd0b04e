internal import Displays
internal import Foundation
internal import Frames
internal import Media
internal import Preview
internal import PreviewProtocol
internal import Sessions
internal import StreamPipeline
internal import Synchronization
internal import Threads

// Answers to viewers, on the thread that reads the link, and state updates, on a thread of their own.
extension PreviewRun: PreviewViewers.Preview {
  /// Accepts requests from the server from now on.
  func beginServing() throws {
    guard let viewers else { return }
    try viewers.begin(self) { [weak self] in self?.serverHasEnded() }
    try viewers.thread.begin { [weak self] in self?.updateViewers() }
  }

  /// Announces the end to viewers.
  func endServing() {
    guard let viewers else { return }
    viewers.thread.end()
    viewers.server.finish()
    let frames = viewers.slots.reduce(0) { $0 + $1.encoded.frames }
    let encoded = frames == 1 ? "1 frame was" : "\(frames) frames were"
    session.note("viewers-served", "\(encoded) encoded for \(viewers.viewerCount.counting("viewer")).")
  }

  private func serverHasEnded() {
    viewers?.forget()
    guard case .nothing = output, !recording.isOn else {
      return warn(
        Message("preview-without-server", "The server has ended: other devices no longer see anything."))
    }
    // Nothing would be visible.
    state.withLock { $0.serverFault = Refusal.failed(.serverEnded) }
    session.cancel()
  }

  func warn(_ message: Message) { session.warn([message]) }

  var isReference: Bool { plan.request.mapping.isReference }

  func fit(_ area: Size?) -> Size { plan.picture(state.withLock { $0.size }, in: area, [], isEven: true) }

  func showAgain() { if isStill { session.redraw() } }

  // MARK: The state

  /// Sends the state to the server, and closes streams without viewers. Call it several times a second.
  func updateViewers() {
    guard let viewers else { return }
    if let fault = seeking?.takeFault() { report(.impossibleNow(session.wording.error(fault)), isWarning: true) }
    viewers.lookAfterSlots()
    tellState()
  }

  /// Sends the state to the server.
  func tellState() { viewers?.tell(serveState, counts) }

  private var serveState: ServeState {
    let (progress, watched, canRecord) = (session.pipelineProgress, viewers?.watched ?? [], canRecord)
    return state.withLock { state in
      ServeState(
        status: state.status, view: state.view, plan: plan, isReadOnly: viewers?.isReadOnly ?? false,
        canSeek: canSeek, canRecord: canRecord, size: plan.picture(state.size, in: nil, [], isEven: false),
        duration: duration,
        position: state.position, hasEnded: seeking?.hasEnded ?? false, message: state.message,
        rendered: progress?.frames ?? 0, viewers: watched)
    }
  }

  private var counts: RenderingCounts {
    var counts = RenderingCounts()
    guard let progress = session.pipelineProgress, let viewers else { return counts }
    (counts.rendered, counts.dropped, counts.lost) = (progress.frames, droppedFrames(progress), progress.lost)
    (counts.recorded, counts.unrecorded) = (recording.frameCount, state.withLock { $0.unrecorded })
    for slot in viewers.slots {
      let encoded = slot.encoded
      counts.encoded += encoded.frames
      counts.encodedBytes += encoded.bytes
      if slot.present != nil { counts.streams += 1 }
    }
    return counts
  }

  /// Seeking is possible: not in counted frames, nor in a pipe.
  private var canSeek: Bool {
    let selection = plan.selection.selection
    return seeking != nil && !reader.isStill && plan.request.input.isRepeatable && selection.range == nil
      && selection.at == nil
  }

  private var canRecord: Bool {
    viewers?.allowsRecording == true && recording.canBegin && state.withLock { $0.recordingFailure == nil }
  }

  private var duration: Double? {
    guard seeking != nil, !reader.isStill else { return nil }
    let stream = reader.info.streams.first { $0.index == reader.video.index }
    let whole = (stream?.seconds ?? reader.info.duration).map { max($0 - (plan.selection.selection.start ?? 0), 0) }
    guard let asked = plan.selection.selection.duration else { return whole }
    return whole.map { min($0, asked) } ?? asked
  }

  // MARK: Patches

  func answer(_ patch: String) -> ServerAnswer {
    do {
      let patch = try ServePatch(patch)
      if patch.isRecording != nil, viewers?.allowsRecording == false {
        return .error(403, "Viewers cannot begin or end recordings of this preview.")
      }
      if let reason = obstacle(to: patch) { return .error(409, reason) }
      try look(patch)
      play(patch)
      // The next state request has to return the requested values.
      tellState()
      return .json(serveState.json)
    } catch let error as ClientError {
      return .error(400, error.description)
    } catch {
      return .error(409, session.wording.error(error))
    }
  }

  /// Returns why a well-formed patch cannot be applied now; nil: it can.
  private func obstacle(to patch: ServePatch) -> String? {
    let isPaused = patch.isPaused ?? state.withLock { $0.isPaused }
    if patch.steps != nil, !isPaused { return "Frames play: pause before you go on frame by frame." }
    if patch.position != nil || patch.steps != nil, seeking != nil, recording.isOn {
      return "The file is being recorded, and a recording has every frame: end it first."
    }
    if patch.position != nil, !canSeek { return "This input does not seek." }
    let settings = patch.settings.filter { setting in
      switch setting {
      case .headroom, .sdrWhite: true
      default: false
      }
    }
    if plan.request.following != nil, !settings.isEmpty { return session.wording.text(.displayDecides) }
    if patch.isRecording == true, !canRecord { return "What was recorded has ended, and cannot be begun again." }
    return nil
  }

  private func look(_ patch: ServePatch) throws {
    guard patch.resets || !patch.settings.isEmpty else { return }
    let before = state.withLock { $0.view }
    var view = patch.resets ? PreviewView(plan) : before
    for setting in patch.settings { view.set(setting, over: plan.request.mapping) }
    guard view != before else { return }
    state.withLock { $0.view = view }
    do {
      try change(to: view)
    } catch {
      state.withLock { if $0.view == view { $0.view = before } }
      throw error
    }
    session.redraw()
  }

  private func play(_ patch: ServePatch) {
    if let isPaused = patch.isPaused, setPaused(isPaused) {
      // Render one picture to show while paused.
      if isPaused, patch.position == nil, state.withLock({ $0.position == nil }) { session.step() }
    }
    if let position = patch.position, let seeking {
      session.forgetSteps()
      seeking.seek(to: duration.map { min(position, $0) } ?? position)
      if state.withLock({ $0.isPaused }) { session.step() }
    }
    for _ in 0..<(patch.steps ?? 0) { session.step() }
    if let isRecording = patch.isRecording, isRecording != recording.isOn { toggleRecording() }
  }
}

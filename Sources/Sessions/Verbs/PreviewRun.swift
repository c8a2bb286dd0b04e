internal import Capture
internal import ColorScience
internal import Displays
internal import Filters
internal import Frames
internal import Media
internal import Preview
internal import Rendering
internal import StreamPipeline
internal import Synchronization
internal import Threads
internal import ToneMapping

/// Runs a preview: one source, and what it is shown on beside the recording.
///
/// The screen's thread hands in keys, a thread of its own looks after the status, the device's thread tells what happens to it, and
/// everything that touches pictures is done by the rendering thread between two frames.
final class PreviewRun: @unchecked Sendable {
  // @unchecked: `state` is locked; the probe, the pools, the scale and the renderer belong to the rendering thread.

  /// What several threads know.
  struct State {
    var view: PreviewView
    /// The view that frames are rendered by: a change may turn out to be impossible.
    var shownView: PreviewView
    var status = PreviewStatus()
    var wantsSnapshot = false
    var isPaused = false
    var area: ScreenArea?
    var recordingFailure: (any Error)?
    /// Frames that passed during a pause, and frames that a recording lacks.
    var passedInPause = 0
    var unrecorded = 0
    /// The device was set up again: its rate is that of the mode.
    var hasNewMode = false
    var isWritingSnapshot = false
    var hasToldOfScaling = false
  }

  let session: Session
  let plan: PreviewPlan
  let output: PreviewOutput
  let recording: RecordingSink
  let state: Mutex<State>
  /// The thread that writes a snapshot.
  let writers = ThreadGroup()
  private let scale = ScreenScale()
  /// What delivers; nil for a file.
  let device: CaptureSource?
  private let reader: any MediaInput
  let paced: PacedSource?
  private let origin: StreamPipeline.Origin
  private let renderer: StreamRenderer
  private let pool: WorkerPool
  private let probe: LightProbe
  /// Of what is shown, in its present format.
  private var frames: FramePool?
  private var frameFormat: PixelFormat?

  /// Frames that wait to be rendered. On a screen the next frame should be the newest; a recording should miss none while the
  /// system is busy for a moment.
  private static func liveCapacity(_ plan: PreviewPlan, _ output: PreviewOutput) -> Int {
    output.screen == nil || plan.request.recording != nil ? 6 : 1
  }
  /// One is delivered, one rendered, and one kept to be shown again.
  private static let framesInUse = 3
  /// Frames of a pipe that wait to be read: who reads it wants what happens now.
  private static let pipedFrames = 8
  /// Bytes of frames that wait to be recorded, at most.
  private static let recordingBytes = 1 << 28

  init(_ session: Session, _ plan: PreviewPlan, _ input: Session.OpenedInput, on output: PreviewOutput) throws {
    let (reader, first) = (input.reader, input.first)
    (self.session, self.plan, self.reader, self.output) = (session, plan, reader, output)
    let processing = plan.request.processing
    let workers = WorkerPool(count: processing.threads)
    (pool, probe) = (workers, LightProbe(tier: processing.kernels))
    let link = Link()
    let area: ScreenArea?
    do {
      try output.screen?.open { input in link.with { $0.hear(input) } }
      area = output.screen?.area
      let isRecording = plan.request.recording != nil
      recording = try RecordingSink(plan.recording.video, isOn: isRecording) { event in link.with { $0.note(event) } }
      device = try (reader as? DeviceMedia)?.makeSource(
        framesInFlight: Self.liveCapacity(plan, output) + Self.framesInUse
      ) { event in link.with { $0.note(event) } }
      if let device {
        let selection = plan.selection.selection
        origin = .live(selection.isWhole ? device : LiveSelection(device, selection))
        paced = nil
      } else {
        let file = PacedSource(SelectedMedia(reader, plan.selection), keepsAll: isRecording)
        (origin, paced) = (.file(file), file)
      }
      let environment = OutputRenderer.Environment(processing: processing, measured: nil, pool: workers)
      let outputs = try [plan.settings(output, scale), plan.recordingSettings()].map { settings in
        let source = plan.source.using(settings.use)
        let target = try settings.target(source, first.size, settings.mapping, settings.filters)
        return try OutputRenderer(settings, source: source, first.size, target: target, environment)
      }
      var follower = SourceFollower(reader.info.url, plan.request.input, first: first.format)
      follower.followsSize = true
      renderer = try StreamRenderer(session, follower, outputs: outputs, environment)
    } catch {
      output.close()
      throw error
    }
    let view = PreviewView(
      plan.target.display, curve: plan.request.mapping.staticCurve,
      maximumPeak: plan.request.mapping.display?.model.peak ?? PQ.peak)
    state = Mutex(State(view: view, shownView: view, area: area))
    link.set(self)
    initializeStatus()
  }

  /// A reference to the run for what may call it before it is complete: such calls wait until it is.
  private final class Link: Sendable {
    private struct Waiting {
      weak var run: PreviewRun?
      var calls: [@Sendable (PreviewRun) -> Void] = []
    }

    private let state = Mutex(Waiting())
    /// Keys that are pressed while a window opens.
    private static let most = 100

    func with(_ body: @escaping @Sendable (PreviewRun) -> Void) {
      let run = state.withLock { state in
        if state.run == nil, state.calls.count < Self.most { state.calls.append(body) }
        return state.run
      }
      run.map(body)
    }

    func set(_ run: PreviewRun) {
      let calls = state.withLock { state in
        defer { state.calls = [] }
        state.run = run
        return state.calls
      }
      for call in calls { call(run) }
    }
  }

  /// Shows frames until the end.
  func run() throws -> Session.Outcome {
    defer { output.close() }
    // A second signal ends the process at once.
    if output.screen is TerminalScreen { session.removing { TerminalScreen.restoreAll() } }
    let observer = PreviewObserver(self)
    observer.begin()
    let done = session.attempt(pipelineRun, changing: renderer) { try render($0, $1) }
    observer.end()
    writers.wait()
    summarize(done.pipeline)
    let fault = done.failure ?? output.screen?.fault ?? state.withLock { $0.recordingFailure }
    if let fault {
      // What was recorded is complete all the same.
      try? writeReport(done, fault)
      throw fault
    }
    return try session.conclude(done, plan.isLive ? nil : reader, plan.selection.selection) {
      try writeReport(done, nil)
    }
  }

  private var pipelineRun: Session.Run {
    var run = Session.Run(origin: origin, to: output.sink)
    run.inputName = plan.request.input.name
    run.frameRate = plan.rate?.value
    run.totalFrames = plan.isLive ? nil : plan.selection.selection.expectedFrames(of: reader)
    run.capacity = Self.liveCapacity(plan, output)
    run.maximumAge = plan.request.maximumLatency.map { .seconds($0) }
    run.salvages = true
    run.countsBytes = plan.request.recording != nil
    run.onEvent = { [self] in note($0) }
    // A picture of a file is not left out for the sake of one that nobody looks at.
    run.outputs[0].policy = output.screen == nil && !plan.isLive ? .everyFrame : .latest
    run.outputs.append(recordingOutput)
    return run
  }

  /// A recording of a file has every frame; one of a device drops what its encoder has no time for.
  private var recordingOutput: StreamPipeline.Output {
    let bytes = plan.recording.video.pixelFormat.byteCount
    let isPipe = plan.recording.video.url == "-"
    let count = isPipe ? Self.pipedFrames : min(max(Self.recordingBytes / max(bytes, 1), 4), 120)
    var output = StreamPipeline.Output(
      name: Self.recordingName, sink: recording,
      policy: plan.isLive ? .buffered(count, thenDrop: .oldest) : .everyFrame,
      fate: self.output.screen == nil ? .essential : .optional, takesPassingData: false)
    if plan.isLive { output.tap = { [self] in recorded($0) } }
    return output
  }

  /// A copy of a frame's codes for the recording, or the end of a recording; nil: there is nothing to record, or only rendering can make it.
  private func recorded(_ frame: CodedFrame) -> CodedFrame? {
    if let end = recording.takeEnd() { return end }
    guard isCopied(frame), let copy = recording.makeFrame(like: frame) else { return nil }
    frame.described(as: plan.source.color).copyCodes(to: copy)
    return copy
  }

  /// The codes of a frame are recorded as they are. Where the stream has become another, its light is, in the form of the recording.
  private func isCopied(_ frame: CodedFrame) -> Bool { plan.recording.copiesCodes && plan.decoded == frame.format }

  static let recordingName = "recording"

  /// Frames that were left out because they came too late to be shown.
  var skippedFrames: Int { paced?.skippedFrames ?? 0 }
}

// MARK: - Rendering

extension PreviewRun {
  private func render(
    _ frame: CodedFrame, _ open: StreamPipeline.OutputSet
  ) throws -> [StreamPipeline.Rendered] {
    adoptArea()
    let format = renderer.formats[0]
    if frames == nil || frameFormat != format { (frames, frameFormat) = (FramePool(format), format) }
    let shown = frames?.frame(time: frame.time, fieldOrder: output.screen == nil ? frame.fieldOrder : nil)
    let isRecorded = open.contains(1) && !open.isRedraw
    let light = isRecorded && !isCopied(frame) ? recording.makeFrame(like: frame) : nil
    var results = try renderer.render(frame, into: [shown, light], isRedraw: open.isRedraw)
    if let light, frame.size != plan.decoded.size, light.size == plan.recording.video.size { tellOfScaling() }
    light?.fillBlack(outside: renderer.target(of: 1).picture)
    // The codes of a device were taken when they came.
    if isRecorded, light == nil, !plan.isLive { results[1] = recorded(frame).map { .frame($0) } ?? .nothing }
    guard let screen = output.screen else {
      if let shown { blackenMargins(of: shown) }
      return results
    }
    if case .frame(let picture) = results[0] {
      look(at: frame, on: screen)
      takeSnapshot(picture, frame)
      if scale.isHalved { results[0] = .frame(picture.doubled()) }
      holdStill()
    }
    return results
  }

  /// Once.
  private func tellOfScaling() {
    let isFirst = state.withLock { state in
      defer { state.hasToldOfScaling = true }
      return !state.hasToldOfScaling
    }
    if isFirst { report(.recordingKeepsItsSize(plan.recording.video.size), isWarning: true) }
  }

  /// Around the picture and what filters draw beside it.
  private func blackenMargins(of frame: CodedFrame) {
    let target = renderer.target(of: 0)
    let filters = (try? Filter.parsed(state.withLock { $0.shownView }.filters(plan.request.filters))) ?? []
    let whole = Filter.frameSize(filters, picture: target.pictureSize)
    frame.fillBlack(
      outside: PictureArea(x: target.picture.x, y: target.picture.y, width: whole.width, height: whole.height)
        .intersection(PictureArea(frame.size)))
  }

  /// A single picture stays until somebody has looked at it.
  private func holdStill() {
    guard !plan.isLive, reader.isStill || plan.selection.selection.expectedFrames(of: reader) == 1 else { return }
    let isFirst = state.withLock { state in
      defer { state.isPaused = true }
      return !state.isPaused
    }
    if isFirst { session.pause() }
  }

  /// Renders for the size that the screen has now.
  private func adoptArea() {
    guard let screen = output.screen else { return }
    let area = screen.area
    let isNew = state.withLock { state in
      defer { state.area = area }
      return state.area != area
    }
    if isNew { refresh() }
  }

  private func refresh() {
    do {
      try renderer.refresh(0)
    } catch {
      say(.isImpossible(session.wording.error(error)))
    }
  }

  /// Renders at half the size from the next frame on, or at the whole size again.
  func setScale(isHalved: Bool) {
    session.changePipeline("scale") { [self] in
      scale.isHalved = isHalved
      refresh()
      state.withLock { $0.status.renderScale = isHalved ? 0.5 : 1 }
      report(.scale(isHalved: isHalved))
    }
  }

  /// Looks at the light in another way from the next frame on.
  func change(to view: PreviewView) throws {
    let mapping = view.mapping(plan.request.shownMapping)
    try mapping.validate()
    let filters = try Filter.parsed(view.filters(plan.request.filters))
    session.changePipeline(Session.mainOutput) { [self] in
      do {
        try renderer.change(0, mapping, filters)
        adopt(view)
      } catch {
        undo(view, error)
        throw error
      }
    }
  }

  /// The light under the pointer.
  private func look(at frame: CodedFrame, on screen: any PreviewScreen) {
    let source = renderer.source(of: 0)
    let nits = screen.pointer.flatMap { place in
      probe.nits(
        frame, at: plan.geometry.orientation.source(of: place), source, sdrWhite: plan.target.display.sdrWhite)
    }
    let target = renderer.target(of: 0)
    let status = state.withLock { state in
      state.status.nits = nits
      if let display = target.rendering.mapping?.display {
        (state.status.sdrWhite, state.status.headroom) = (display.sdrWhite, display.peak / display.sdrWhite)
      }
      return state.status
    }
    screen.show(status)
  }

  private func takeSnapshot(_ picture: CodedFrame, _ frame: CodedFrame) {
    // One at a time: holding the key down does not fill the memory.
    let isWanted = state.withLock { state in
      defer { state.wantsSnapshot = false }
      guard state.wantsSnapshot, !state.isWritingSnapshot else { return false }
      state.isWritingSnapshot = true
      return true
    }
    guard isWanted else { return }
    do {
      let snapshot = try Snapshot(
        shown: picture, frame, renderer.source(of: 0), plan.geometry.orientation,
        tier: plan.request.processing.kernels, pool: pool)
      try writers.start { [self] in
        do {
          report(.snapshot(try snapshot.write(to: plan.request.snapshotFolder)))
        } catch {
          report(.snapshotFailed(session.wording.error(error)), isWarning: true)
        }
        state.withLock { $0.isWritingSnapshot = false }
      }
    } catch {
      state.withLock { $0.isWritingSnapshot = false }
      report(.snapshotFailed(session.wording.error(error)), isWarning: true)
    }
  }
}

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
internal import ToneMapping

/// Runs a preview: one source, and what it is shown on beside the recording.
///
/// The screen's thread hands in keys, a thread of its own looks after the status, the device's thread tells what happens to it, and
/// everything that touches pictures is done by the rendering thread between two frames.
final class PreviewRun: @unchecked Sendable {
  // @unchecked: `state` is locked; the probe, the pools and the renderer belong to the rendering thread.

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
  }

  let session: Session
  let plan: PreviewPlan
  let output: PreviewOutput
  let recording: RecordingSink
  let state: Mutex<State>
  let scale = ScreenScale()
  /// What delivers; nil for a file.
  let device: CaptureSource?
  private let reader: any MediaInput
  private let paced: PacedSource?
  private let renderer: StreamRenderer
  private let pool: WorkerPool
  private let probe: LightProbe
  private let start = ContinuousClock.now
  /// Of what is shown, in its present format.
  private var frames: FramePool?
  private var frameFormat: PixelFormat?

  /// Frames that wait to be rendered. On a screen the next frame should be the newest; a recording should miss none while the
  /// system is busy for a moment.
  private static func liveCapacity(_ plan: PreviewPlan, _ output: PreviewOutput) -> Int {
    output.screen == nil || plan.request.recording != nil ? 6 : 1
  }
  /// One is delivered, one rendered, one shown, and one is the snapshot's.
  private static let framesInUse = 4
  /// Bytes of frames that wait to be recorded, at most.
  private static let recordingBytes = 1 << 28

  init(_ session: Session, _ plan: PreviewPlan, _ input: Session.OpenedInput, on output: PreviewOutput) throws {
    let (reader, first) = (input.reader, input.first)
    (self.session, self.plan, self.reader, self.output) = (session, plan, reader, output)
    let processing = plan.request.processing
    let workers = WorkerPool(count: processing.threads)
    (pool, probe) = (workers, LightProbe(tier: processing.kernels))
    let link = Link()
    do {
      try output.screen?.open { link.run?.hear($0) }
      let isRecording = plan.request.recording != nil
      recording = try RecordingSink(plan.recording.video, isOn: isRecording) { link.run?.note($0) }
      device = try (reader as? DeviceMedia)?.makeSource(
        framesInFlight: Self.liveCapacity(plan, output) + Self.framesInUse
      ) { link.run?.note($0) }
      let files: any FrameSource = SelectedMedia(reader, plan.selection)
      paced = device == nil ? PacedSource(files, keepsAll: isRecording) : nil
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
    state = Mutex(State(view: view, shownView: view, area: output.screen?.area))
    link.run = self
    initializeStatus()
  }

  /// A reference to the run, which is complete only after what calls it.
  private final class Link: @unchecked Sendable {
    // @unchecked: set once, before anything moves; a key that comes earlier is lost.
    weak var run: PreviewRun?
  }

  func run() throws -> Session.Outcome {
    defer { output.close() }
    return try session.running {
      // A second signal ends the process at once.
      if output.screen is TerminalScreen { session.removing { TerminalScreen.restoreAll() } }
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
      let observer = PreviewObserver(self)
      observer.begin()
      defer { observer.end() }
      let done = session.attempt(run, changing: renderer) { try render($0, $1) }
      observer.end()
      if let failure = done.failure { throw failure }
      let outcome = try session.conclude(done, plan.isLive ? nil : reader, plan.selection.selection) {
        try writeReport(done)
      }
      summarize(done.pipeline)
      if let failure = state.withLock({ $0.recordingFailure }) { throw failure }
      return outcome
    }
  }

  private var origin: StreamPipeline.Origin {
    if let device {
      return .live(plan.selection.selection.isWhole ? device : LiveSelection(device, plan.selection.selection))
    }
    return .file(paced ?? PacedSource(SelectedMedia(reader, plan.selection), keepsAll: true))
  }

  /// A recording of a file has every frame; one of a device drops what its encoder has no time for.
  private var recordingOutput: StreamPipeline.Output {
    let bytes = plan.recording.video.pixelFormat.byteCount
    let count = min(max(Self.recordingBytes / max(bytes, 1), 4), 120)
    return StreamPipeline.Output(
      name: Self.recordingName, sink: recording,
      policy: plan.isLive ? .buffered(count, thenDrop: .oldest) : .everyFrame,
      fate: output.screen == nil ? .essential : .optional, takesPassingData: false)
  }

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
    let recorded = open.contains(1) ? recording.makeFrame(like: frame) : nil
    let isCopied = plan.recording.copiesCodes && copy(frame, to: recorded)
    var results = try renderer.render(frame, into: [shown, isCopied ? nil : recorded])
    if isCopied, let recorded {
      results[1] = .frame(recorded)
    } else {
      recorded?.fillBlack(outside: renderer.target(of: 1).picture)
    }
    if output.screen == nil, plan.request.filters.isEmpty { shown?.fillBlack(outside: renderer.target(of: 0).picture) }
    if recorded == nil, open.contains(1), let end = recording.takeEnd() { results[1] = .frame(end) }
    if let screen = output.screen, case .frame(let picture) = results[0] {
      look(at: frame, on: screen)
      takeSnapshot(picture, frame)
      if scale.isHalved { results[0] = .frame(picture.doubled()) }
    }
    return results
  }

  /// Records the codes themselves.
  /// - Returns: false if the stream has become another: its light is recorded then, in the form of the recording.
  private func copy(_ frame: CodedFrame, to recorded: CodedFrame?) -> Bool {
    guard let recorded, plan.decoded == frame.format else { return false }
    let color = plan.source.color
    let own = frame.described(as: color)
    guard own.layout.planar == recorded.layout, own.size == recorded.size else { return false }
    own.copyCodes(to: recorded)
    return true
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

  /// Renders by what the settings say now. Scopes may be too large for a small window: they are left out then.
  func refresh() {
    do {
      try renderer.refresh(0)
    } catch {
      try? renderer.change(0, nil, [])
      say(.isImpossible(session.wording.error(error)))
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
    let isWanted = state.withLock { state in
      defer { state.wantsSnapshot = false }
      return state.wantsSnapshot
    }
    guard isWanted else { return }
    do {
      let snapshot = try Snapshot(
        shown: picture, frame, renderer.source(of: 0), plan.geometry.orientation,
        tier: plan.request.processing.kernels, pool: pool)
      try snapshot.writeAside(to: plan.request.snapshotFolder) { [self] result in
        switch result {
        case .success(let names): report(.snapshot(names))
        case .failure(let error): report(.snapshotFailed(session.wording.error(error)))
        }
      }
    } catch {
      report(.snapshotFailed(session.wording.error(error)))
    }
  }
}

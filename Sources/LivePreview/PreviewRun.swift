internal import Capture
internal import ColorScience
internal import Displays
internal import Filters
internal import Frames
internal import Media
internal import Preview
internal import Rendering
internal import Sessions
internal import StreamPipeline
internal import Synchronization
internal import Threads
internal import ToneMapping

/// Runs a preview: one source, shown on several outputs, and the recording.
///
/// Keys arrive on the screen's thread, the status is updated on a separate thread, device events arrive on the device's
/// thread, and all access to pictures happens on the rendering thread between two frames.
final class PreviewRun: @unchecked Sendable {
  // @unchecked: `state` is locked; everything else, probe and renderer included, belongs to the rendering thread.

  /// State shared by several threads.
  struct State {
    var view: PreviewView
    /// The view of the rendered frames: a requested change may turn out to be impossible.
    var shownView: PreviewView
    var status = PreviewStatus()
    var wantsSnapshot = false
    var isPaused: Bool {
      get { status.isPaused }
      set { status.isPaused = newValue }
    }
    var area: ScreenArea?
    var recordingFailure: (any Error)?
    /// Frames that passed during a pause, and frames missing from a recording.
    var passedInPause = 0
    var unrecorded = 0
    /// The device was set up again, at the mode's rate.
    var hasNewMode = false
    var isWritingSnapshot = false
    var hasToldOfScaling = false
    /// The last message.
    var message: String?
    /// Input time in seconds of the frame shown last.
    var position: Double?
    /// Size of that frame before rotation.
    var size: Size
    /// The input format, "P010 1920x1080 at 59.94", and its interpretation.
    var format: String
    var color: ColorDescription
    /// The server has ended, and with it all visible output.
    var serverFault: (any Error)?
  }

  let session: Session
  let plan: PreviewPlan
  let output: PreviewOutput
  let recording: RecordingSink
  let state: Mutex<State>
  /// Threads that write snapshots and encode stills.
  let writers = ThreadGroup()
  let scale = ScreenScale()
  /// The capture device; nil for a file.
  let device: CaptureSource?
  let reader: any MediaInput
  let paced: PacedSource?
  /// The seekable file of a served preview; nil: a device, or a preview that is not served.
  let seeking: SeekingSource?
  /// The other devices that show the preview.
  let viewers: PreviewViewers?
  private let origin: StreamPipeline.Origin
  let renderer: StreamRenderer
  let pool: WorkerPool
  let probe: LightProbe
  /// Frame pool of each output, in its current format.
  var frames: [Int: (format: PixelFormat, pool: FramePool)] = [:]
  /// The forms rendered for other devices.
  var forms: [RenderedForm] = []
  var clock: StreamClock
  /// Streams have not been rendered with the current view yet.
  var lookHasChanged = false

  /// Maximum number of frames waiting to be rendered. A screen should show the newest frame; a recording should lose
  /// none while the system is briefly busy.
  private static func liveCapacity(_ plan: PreviewPlan, _ output: PreviewOutput) -> Int {
    output.screen == nil || plan.request.recording != nil ? 6 : 1
  }
  /// One frame is delivered, one rendered, and one kept to be shown again.
  private static let framesInUse = 3
  /// Number of frames from a pipe that may wait: its reader wants current frames.
  private static let pipedFrames = 8
  /// Maximum size in bytes of the frames waiting to be recorded.
  private static let recordingBytes = 1 << 28

  /// - Parameters:
  ///   - viewers: Other devices that show the preview.
  ///   - clock: Clock of their streams.
  init(
    _ session: Session, _ plan: PreviewPlan, _ input: Session.OpenedInput, on output: PreviewOutput,
    for viewers: PreviewViewers? = nil, clock: StreamClock = StreamClock(begin: .now, date: 0)
  ) throws {
    let (reader, first) = (input.reader, input.first)
    (self.session, self.plan, self.reader, self.output) = (session, plan, reader, output)
    (self.viewers, self.clock) = (viewers, clock)
    let processing = plan.request.processing
    let workers = WorkerPool(count: processing.threads)
    (pool, probe) = (workers, LightProbe(tier: processing.kernels))
    let link = LateReference<PreviewRun>()
    let area: ScreenArea?
    do {
      try output.screen?.open { input in link.with { $0.hear(input) } }
      area = output.screen?.area
      let isRecording = plan.request.recording != nil
      recording = try RecordingSink(plan.recording.video, isOn: isRecording, isLive: plan.isLive) { event in
        link.with { $0.note(event) }
      }
      device = try (reader as? DeviceMedia)?.makeSource(
        framesInFlight: Self.liveCapacity(plan, output) + Self.framesInUse
      ) { event in link.with { $0.note(event) } }
      if let device {
        let selection = plan.selection.selection
        origin = .live(selection.isWhole ? device : LiveSelection(device, selection))
        (paced, seeking) = (nil, nil)
      } else if viewers != nil {
        let file = SeekingSource(SelectedMedia(reader, plan.selection), keepsAll: isRecording) { seconds in
          try plan.selection.source(from: seconds, first: first.time, reader)
        }
        (origin, paced, seeking) = (.file(file), file.paced, file)
      } else {
        let file = PacedSource(SelectedMedia(reader, plan.selection), keepsAll: isRecording)
        (origin, paced, seeking) = (.file(file), file, nil)
      }
      let environment = OutputRenderer.Environment(processing: processing, measured: nil, pool: workers)
      let view = PreviewView(plan)
      forms = viewers == nil ? [] : (0...PreviewViewers.slotCount).map { _ in RenderedForm(.idle) }
      let own = try [plan.settings(output, scale), plan.recordingSettings()]
      let outputs = try (own + forms.map { $0.settings(plan, view) }).map { settings in
        let source = plan.source.using(settings.use)
        let target = try settings.target(source, first.size, settings.mapping, settings.filters)
        return try OutputRenderer(settings, source: source, first.size, target: target, environment)
      }
      var follower = SourceFollower(reader.info.url, plan.request.input, first: first.format)
      follower.followsSize = true
      renderer = try StreamRenderer(session, follower, outputs: outputs, environment)
      state = Mutex(
        State(view: view, shownView: view, area: area, size: first.size, format: plan.format, color: plan.source.color))
    } catch {
      output.close()
      throw error
    }
    link.set(self)
    initializeStatus()
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
    endServing()
    summarize(done.pipeline)
    let fault = done.failure ?? output.screen?.fault ?? state.withLock { $0.recordingFailure ?? $0.serverFault }
    if let fault {
      // The recording is complete in any case.
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
    run.onBegin = { [self] in try beginServing() }
    run.onEvent = { [self] in note($0) }
    // A file frame is not dropped in favour of one without viewers.
    run.outputs[0].policy = output.screen == nil && !plan.isLive ? .everyFrame : .latest
    run.outputs.append(recordingOutput)
    for (index, slot) in (viewers?.slots ?? []).enumerated() {
      run.outputs.append(
        StreamPipeline.Output(
          name: "stream \(index + 1)", sink: slot, policy: .latest, fate: .optional, takesPassingData: false))
    }
    // Stills are answered by the renderer.
    if viewers != nil {
      run.outputs.append(
        StreamPipeline.Output(
          name: "stills", sink: DiscardingSink(), policy: .latest, fate: .optional, takesPassingData: false))
    }
    return run
  }

  /// The recording's output: every frame of a file; for a device, frames that the encoder cannot take are dropped.
  private var recordingOutput: StreamPipeline.Output {
    let bytes = plan.recording.video.pixelFormat.byteCount
    let isPipe = plan.recording.video.url == "-"
    let count = isPipe ? Self.pipedFrames : min(max(Self.recordingBytes / max(bytes, 1), 4), 120)
    var output = StreamPipeline.Output(
      name: Self.recordingName, sink: recording,
      policy: plan.isLive ? .buffered(count, thenDrop: .oldest) : .everyFrame,
      fate: self.output.screen == nil && viewers == nil ? .essential : .optional, takesPassingData: false)
    if plan.isLive { output.tap = { [self] in recorded($0) } }
    return output
  }

  /// Returns a copy of a frame's code values for the recording, or the end of a recording; nil: there is nothing to
  /// record, or it has to be rendered.
  func recorded(_ frame: CodedFrame) -> CodedFrame? {
    if let end = recording.takeEnd() { return end }
    guard isCopied(frame.format), let copy = recording.makeFrame(like: frame) else { return nil }
    frame.described(as: plan.source.color).copyCodes(to: copy)
    return copy
  }

  /// Returns whether code values are recorded unchanged. After a format change, light is recorded instead, in the
  /// recording's form.
  func isCopied(_ format: PixelFormat) -> Bool { plan.recording.copiesCodes && plan.decoded == format }

  static let recordingName = "recording"

  /// Number of frames dropped because they came too late.
  var skippedFrames: Int { paced?.skippedFrames ?? 0 }
}

extension PreviewView {
  /// The planned state, before any change.
  init(_ plan: PreviewPlan) {
    self.init(
      plan.target.display, curve: plan.request.mapping.staticCurve,
      maximumPeak: plan.request.mapping.display?.model.peak ?? PQ.peak)
  }
}

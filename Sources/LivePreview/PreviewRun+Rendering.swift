internal import Filters
internal import Frames
internal import Media
internal import Preview
internal import Sessions
internal import StreamPipeline
internal import Synchronization
internal import Threads
internal import ToneMapping

// All access to pictures happens on the rendering thread, between two frames.
extension PreviewRun {
  func render(
    _ frame: CodedFrame, _ open: StreamPipeline.OutputSet
  ) throws -> [StreamPipeline.Rendered] {
    if let seeking, !open.isRedraw, !seeking.takesNext() { return passOver(open) }
    try renderer.follow(frame)
    adoptArea()
    let order = output.screen == nil ? frame.fieldOrder : nil
    let shown = isShown ? self.frame(for: 0, at: frame.time, fieldOrder: order) : nil
    let isRecorded = open.contains(1) && !open.isRedraw
    let light = isRecorded && !isCopied(frame.format) ? recording.makeFrame(like: frame) : nil
    let streamed = framesForViewers(frame, open)
    var results = try renderer.render(frame, into: [shown, light] + streamed, isRedraw: open.isRedraw)
    if !isShown { results[0] = .frame(frame) }
    let color = renderer.source(of: 0).color
    state.withLock {
      ($0.position, $0.size) = (frame.time.seconds, frame.size)
      $0.follow(color)
    }
    answerStills(frame)
    if let light, frame.size != plan.decoded.size, light.size == plan.recording.video.size { tellOfScaling() }
    light?.fillBlack(outside: renderer.target(of: 1).picture)
    // Code values of a device were copied on arrival.
    if isRecorded, light == nil, !plan.isLive { results[1] = recorded(frame).map { .frame($0) } ?? .nothing }
    guard let screen = output.screen else {
      if let shown { blackenMargins(of: shown) }
      if seeking != nil { holdStill() }
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

  /// The preview itself is visible, not only its streams.
  private var isShown: Bool {
    if case .nothing = output { return viewers == nil }
    return true
  }

  /// Skips a frame from before the last seek.
  private func passOver(_ open: StreamPipeline.OutputSet) -> [StreamPipeline.Rendered] {
    if open.isStep { session.step() }
    return Array(repeating: .nothing, count: open.count)
  }

  /// Returns an empty frame for an output, in its current format.
  func frame(for index: Int, at time: FrameTime, fieldOrder: FieldOrder? = nil) -> CodedFrame {
    let format = renderer.formats[index]
    let pool = frames[index].flatMap { $0.format == format ? $0.pool : nil } ?? FramePool(format)
    frames[index] = (format, pool)
    return pool.frame(time: time, fieldOrder: fieldOrder)
  }

  /// Reports the scaling, once.
  private func tellOfScaling() {
    let isFirst = state.withLock { state in
      defer { state.hasToldOfScaling = true }
      return !state.hasToldOfScaling
    }
    guard isFirst else { return }
    report(
      "recording-scaled",
      "The recording keeps its size, \(plan.recording.video.size): what comes now is scaled to it.", isWarning: true)
  }

  /// Fills the margins around the picture and filter drawings with black.
  private func blackenMargins(of frame: CodedFrame) {
    let (picture, whole) = (renderer.target(of: 0).picture, renderer.drawnSize(of: 0))
    frame.fillBlack(
      outside: PictureArea(x: picture.x, y: picture.y, width: whole.width, height: whole.height)
        .intersection(PictureArea(frame.size)))
  }

  /// Pauses on a single picture, so that it stays on screen.
  private func holdStill() {
    guard !plan.isLive, reader.isStill || plan.selection.selection.expectedFrames(of: reader) == 1 else { return }
    let isFirst = state.withLock { state in
      defer { state.isPaused = true }
      return !state.isPaused
    }
    if isFirst { session.pause() }
  }

  /// Renders for the current size of the screen.
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
      say(.impossibleNow(session.wording.error(error)))
    }
  }

  /// Renders at half or full size, from the next frame on.
  func setScale(isHalved: Bool) {
    session.changePipeline("scale") { [self] in
      scale.isHalved = isHalved
      refresh()
      state.withLock { $0.status.renderScale = isHalved ? 0.5 : 1 }
      if isHalved {
        report("rendering-halved", "Rendering cannot keep up: rendering at half the size.")
      } else {
        report("rendering-restored", "Rendering at the full size again.")
      }
    }
  }

  /// Changes the view, from the next frame on.
  func change(to view: PreviewView) throws {
    let mapping = view.mapping(plan.request.shownMapping)
    try mapping.validate()
    let filters = try Filter.parsed(view.filters(plan.request.filters))
    session.changePipeline(Session.mainOutput) { [self] in
      do {
        try renderer.change(0, mapping, filters)
        adopt(view)
        changeForms(to: view)
      } catch {
        undo(view, error)
        throw error
      }
    }
  }

  /// Reads the light under the pointer.
  private func look(at frame: CodedFrame, on screen: any PreviewScreen) {
    let (source, target) = (renderer.source(of: 0), renderer.target(of: 0))
    let nits = screen.pointer.flatMap { target.place(inPicture: $0) }.flatMap { place in
      probe.nits(
        frame, at: plan.geometry.orientation.source(of: place), source, sdrWhite: plan.target.display.sdrWhite)
    }
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
    // One at a time: holding the key down must not fill the memory.
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
          let names = try snapshot.write(to: plan.request.snapshotFolder)
          report("snapshot-written", "Wrote \(names.joined(separator: " and ")).")
        } catch {
          reportNoSnapshot(error)
        }
        state.withLock { $0.isWritingSnapshot = false }
      }
    } catch {
      state.withLock { $0.isWritingSnapshot = false }
      reportNoSnapshot(error)
    }
  }

  private func reportNoSnapshot(_ error: any Error) {
    report("snapshot-failed", "No snapshot: \(session.wording.error(error))", isWarning: true)
  }
}

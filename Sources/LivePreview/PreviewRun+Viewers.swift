internal import Displays
internal import Filters
internal import Foundation
internal import Frames
internal import ImageFiles
internal import PreviewProtocol
internal import Sessions
internal import StreamPipeline
internal import Synchronization
internal import Threads

// Streams and stills for other devices, all rendered on the rendering thread between two frames.
extension PreviewRun {
  /// Number of renderer outputs before the stream slots: the preview and the recording.
  static let ownOutputs = 2
  private var stillIndex: Int { Self.ownOutputs + PreviewViewers.slotCount }

  /// Returns empty frames for streams that have viewers; nil for the others, and for stills.
  func framesForViewers(_ frame: CodedFrame, _ open: StreamPipeline.OutputSet) -> [CodedFrame?] {
    guard let viewers else { return [] }
    // A redraw for a still or a pixel reading brings viewers nothing new.
    let isNew = !open.isRedraw || lookHasChanged
    lookHasChanged = false
    let isShared = viewers.slots.count { $0.isWanted } > 1
    var time: FrameTime?
    var frames = viewers.slots.indices.map { slot -> CodedFrame? in
      let index = Self.ownOutputs + slot
      guard open.contains(index), let form = viewers.slots[slot].form else { return nil }
      guard isNew || !viewers.slots[slot].isWanted || viewers.slots[slot].lacksKey else { return nil }
      if isShared, !open.isRedraw, viewers.slots[slot].rests(at: .now) { return nil }
      if !viewers.slots[slot].isWanted, !begin(form, slot) { return nil }
      let due =
        time ?? clock.time(of: open.isRedraw ? nil : frame.time, arrival: open.arrival, now: .now)
      time = due
      describe(slot)
      let result = self.frame(for: index, at: due)
      let whole = renderer.drawnSize(of: index)
      // A column or row that only the encoder requires.
      if whole != result.size { result.fillBlack(outside: PictureArea(whole)) }
      return result
    }
    frames.append(nil)
    return frames
  }

  /// Starts rendering a slot in its reserved form.
  /// - Returns: false if that is impossible.
  private func begin(_ form: StreamForm, _ slot: Int) -> Bool {
    guard let viewers else { return false }
    forms[slot].form = form
    do {
      try change(slot, to: state.withLock { $0.shownView })
      viewers.slots[slot].begin(form, at: clock.last)
      return true
    } catch {
      viewers.fail(form, error, isLasting: false, in: slot)
      return false
    }
  }

  private func describe(_ slot: Int) {
    guard let plan = forms[slot].target else { return }
    let index = Self.ownOutputs + slot
    viewers?.slots[slot].describe(
      StreamDescription(forms[slot].form, plan, renderer.target(of: index), isStill: false))
  }

  /// Changes the view on all devices.
  func changeForms(to view: PreviewView) {
    guard let viewers else { return }
    lookHasChanged = true
    for (slot, stream) in viewers.slots.enumerated() where stream.isWanted {
      do { try change(slot, to: view) } catch { say(.impossibleNow(session.wording.error(error))) }
    }
  }

  /// - Parameter form: Index of a slot, or of the stills.
  private func change(_ form: Int, to view: PreviewView) throws {
    let wanted = forms[form].form
    let mapping = view.mapping(plan.request.shownMapping, to: wanted.kind, on: wanted.display)
    try mapping.validate()
    let index = Self.ownOutputs + form
    do {
      try renderer.change(index, mapping, try Filter.parsed(view.filters(plan.request.filters)))
    } catch {
      // The picture may be too small for the filters' drawings: render without them.
      try renderer.change(index, mapping, [])
    }
  }

  // MARK: Stills and pixel readings

  /// Answers requests for the frame that has just been rendered.
  func answerStills(_ frame: CodedFrame) {
    guard let viewers else { return }
    let wanted = viewers.stills.take()
    for still in wanted.stills {
      do {
        let (picture, description) = try render(still, frame)
        let time = frame.time.seconds
        try writers.start { [self] in
          viewers.server.send(.answer(request: still.request, encoded(still, picture, description, at: time)))
          viewers.stills.finishStill()
        }
      } catch {
        viewers.server.send(.answer(request: still.request, .error(500, session.wording.error(error))))
        viewers.stills.finishStill()
      }
    }
    guard !wanted.places.isEmpty else { return }
    let answers = wanted.places.map { ($0.request, PixelReading(frame, at: $0.position, self).answer) }
    // A separate thread, so as not to wait for stills being sent.
    try? writers.start {
      for (request, answer) in answers { viewers.server.send(.answer(request: request, answer)) }
    }
  }

  private func render(_ still: StillQueue.Still, _ frame: CodedFrame) throws -> (CodedFrame, StreamDescription?) {
    if still.kind == .exr {
      let light = try Snapshot.light(
        of: frame, renderer.source(of: 0), plan.geometry.orientation, tier: plan.request.processing.kernels, pool: pool)
      return (light, nil)
    }
    let form = forms[PreviewViewers.slotCount]
    (form.form, form.still, form.wantsSRGBTags) = (still.form, still.kind, still.wantsSRGBTags)
    try change(PreviewViewers.slotCount, to: state.withLock { $0.shownView })
    let picture = CodedFrame(
      size: renderer.formats[stillIndex].size, layout: renderer.formats[stillIndex].layout,
      color: renderer.formats[stillIndex].color)
    let results = try renderer.render(
      frame, into: Array(repeating: nil, count: stillIndex) + [picture], isRedraw: true)
    switch results[stillIndex] {
    case .frame(let rendered):
      let description = form.target.map { plan in
        StreamDescription(still.form, plan, renderer.target(of: stillIndex), isStill: true)
      }
      return (rendered, description)
    case .failed(let error): throw error
    case .nothing: throw Refusal.failed(.streamNotEncoded(still.kind.format.rawValue, reason: ""))
    }
  }

  /// Encodes a still, on a separate thread.
  private func encoded(
    _ still: StillQueue.Still, _ picture: CodedFrame, _ description: StreamDescription?, at time: Double
  ) -> ServerAnswer {
    do {
      let bytes = try still.kind.format.encoder().encode(picture)
      let name = "headroom-\(String(format: "%.3f", time)).\(still.kind.format.suffixes[0])"
      return ServerAnswer(
        contentType: still.kind.contentType, fileName: name, description: description?.json, bytes: bytes)
    } catch {
      return .error(500, session.wording.error(error))
    }
  }
}

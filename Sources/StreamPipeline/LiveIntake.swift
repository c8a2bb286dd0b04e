internal import Frames
internal import Media

/// Receives the frames of a pipeline's live source.
final class LiveIntake: LiveReceiver {
  let capacity: Int
  private let inlet: Inlet
  private let record: RunRecord
  private let tap: @Sendable (CodedFrame, ContinuousClock.Instant) -> Void

  /// - Parameters:
  ///   - inlet: An inlet with the same capacity.
  ///   - tap: Receives every accepted frame.
  init(
    capacity: Int, inlet: Inlet, record: RunRecord,
    tap: @escaping @Sendable (CodedFrame, ContinuousClock.Instant) -> Void
  ) {
    (self.capacity, self.inlet, self.record, self.tap) = (capacity, inlet, record, tap)
  }

  func deliver(_ frame: CodedFrame, arrival: ContinuousClock.Instant, lostBefore: Int) {
    precondition(lostBefore >= 0, "The number of lost frames is negative.")
    switch inlet.deliver(Item(frame: frame, arrival: arrival), lost: lostBefore) {
    case .refused: return
    case .taken: break
    case .replaced(let dropped): record.emit(.droppedBeforeRendering(time: dropped.time, format: dropped.format))
    }
    tap(frame, arrival)
    if lostBefore > 0 { record.emit(.lost(count: lostBefore, before: frame.time)) }
  }

  func pass(_ data: any PassingData) { _ = inlet.deliver(Item(passing: [data]), lost: 0) }

  func pause() { if inlet.setSourcePaused(true) { record.emit(.sourcePaused) } }

  func resume() { if inlet.setSourcePaused(false) { record.emit(.sourceResumed) } }

  func end(throwing error: (any Error)?) {
    inlet.finish { if let error { record.keep(error) } }
  }
}

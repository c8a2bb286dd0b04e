internal import Frames
package import Media
package import Sessions
internal import Synchronization

/// The first frames of a live source: a number of seconds or frames.
package final class LiveSelection: LiveSource {
  private let source: any LiveSource
  private let selection: FrameSelection

  package init(_ source: any LiveSource, _ selection: FrameSelection) {
    (self.source, self.selection) = (source, selection)
  }

  package func start(delivering intake: any LiveReceiver) throws {
    try source.start(delivering: Gate(intake, selection))
  }

  package func stop() { source.stop() }

  /// Passes on the selected frames.
  private final class Gate: LiveReceiver {
    private let intake: any LiveReceiver
    private let selection: FrameSelection
    private let state = Mutex((count: 0, first: Double?.none, hasEnded: false))

    init(_ intake: any LiveReceiver, _ selection: FrameSelection) {
      (self.intake, self.selection) = (intake, selection)
    }

    var capacity: Int { intake.capacity }

    func deliver(_ frame: CodedFrame, arrival: ContinuousClock.Instant, lostBefore: Int) {
      let seconds = frame.time.seconds
      let (isSelected, isOver) = state.withLock { state -> (Bool, Bool) in
        if state.hasEnded { return (false, false) }
        let first = state.first ?? seconds
        state.first = first
        // Device times drift from the clock that measures the duration.
        let half = Double(frame.time.duration) * frame.time.timeBase.value / 2
        let isLate = selection.duration.map { seconds - first >= max($0 - half, $0 * (1 - 1e-9) / 2) } ?? false
        let isBeyond = selection.range?.last.map { state.count > $0 } ?? false
        state.hasEnded = isLate || isBeyond
        let index = state.count
        state.count += 1
        let begin = selection.range?.first ?? 0
        return (!state.hasEnded && index >= begin && (index - begin) % selection.every == 0, state.hasEnded)
      }
      if isOver { return intake.end() }
      if isSelected { intake.deliver(frame, arrival: arrival, lostBefore: lostBefore) }
      // The last frame of a range need not wait for another.
      if let last = selection.range?.last, state.withLock({ $0.count > last }) { end(throwing: nil) }
    }

    func pass(_ data: any PassingData) { intake.pass(data) }
    func pause() { intake.pause() }
    func resume() { intake.resume() }

    func end(throwing error: (any Error)?) {
      let isFirst = state.withLock { state in
        defer { state.hasEnded = true }
        return !state.hasEnded
      }
      if isFirst { intake.end(throwing: error) }
    }
  }
}

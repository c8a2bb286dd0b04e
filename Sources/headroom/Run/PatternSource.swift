internal import FFmpegIO
internal import Frames
internal import Patterns
internal import Synchronization

/// The frames of a pattern: painted once where they are all alike.
final class PatternSource: FrameSource {
  private let plan: PatternPlan
  private let metadata: HDRMetadata
  private let pool: FramePool
  private let isInterrupted = Atomic(false)
  private let state = Mutex(State())

  private struct State {
    var index = 0
    var first: CodedFrame?
  }

  /// - Parameter metadata: What every frame carries.
  init(_ plan: PatternPlan, metadata: HDRMetadata) {
    self.plan = plan
    self.metadata = metadata
    pool = FramePool(plan.pixelFormat)
  }

  func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  func read() -> StreamItem? {
    state.withLock { state in
      guard state.index < plan.count, !isInterrupted.load(ordering: .relaxed) else { return nil }
      let time = FrameTime(
        presentation: Int64(state.index), duration: 1, timeBase: Rational(plan.rate.denominator, plan.rate.numerator))
      defer { state.index += 1 }
      if !plan.pattern.isMoving, let first = state.first { return StreamItem(frame: first.at(time)) }
      let frame = pool.frame(time: time, metadata: metadata)
      plan.paint(plan.drawing(frame: state.index), into: frame)
      state.first = frame
      return StreamItem(frame: frame)
    }
  }
}

extension PatternPlan {
  /// What frames are painted in.
  var pixelFormat: PixelFormat {
    switch form {
    case .video(let settings): PixelFormat(size: settings.size, layout: settings.layout, color: settings.color)
    case .pictures(_, _, _, let pixels): pixels
    }
  }

  fileprivate func paint(_ drawing: PatternDrawing, into frame: CodedFrame) {
    switch form {
    case .video: PatternPainter(drawing).paint(into: frame)
    case .pictures(_, _, let space, _):
      PatternPicturePainter(signal: canvas.signal, space: space).paint(drawing, into: frame)
    }
  }
}

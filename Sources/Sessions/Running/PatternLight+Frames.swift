internal import Frames
internal import Patterns

extension PatternLight {
  /// Number of measured frames of a moving pattern: the period of its motion.
  private static let maximumFrames = 60

  /// The light of a pattern's pixels; for moving patterns, of the first frames.
  /// - Parameters:
  ///   - format: The coded format of HDR10, because subsampled chroma changes the light; nil: light of R'G'B'.
  ///   - count: Number of frames of the pattern.
  ///   - isStopped: Polled before each frame; once true, the result is not used.
  init(
    _ pattern: TestPattern, on canvas: PatternCanvas, codedAs format: PixelFormat? = nil, count: Int = 1,
    until isStopped: () -> Bool = { false }
  ) {
    self.init(canvas.signal)
    let coded = format.flatMap { format in
      format.layout.components == .rgb || format.layout.planeCount == 1 || canvas.signal.kind != .hdr10 ? nil : format
    }
    let frames = coded.map { FramePool($0) }
    for frame in 0..<(pattern.isMoving ? min(count, Self.maximumFrames) : 1) where !isStopped() {
      let painter = PatternPainter(pattern.drawing(on: canvas, frame: frame))
      if let painted = frames?.frame(time: FrameTime(presentation: 0, duration: 0, timeBase: Rational(1, 1))) {
        painter.paint(into: painted)
        add(coded: painted)
      } else {
        add(painter)
      }
    }
  }

  /// The light of a planned pattern.
  package init(_ plan: PatternPlan, until isStopped: () -> Bool = { false }) throws {
    self.init(
      try ChosenPattern(plan.request.pattern).pattern, on: try plan.canvas(), codedAs: plan.pixelFormat,
      count: plan.count, until: isStopped)
  }
}

internal import Patterns

extension PatternLight {
  /// Frames of a moving pattern whose light is measured: its marks are where they were after as many.
  private static let mostFrames = 60

  /// The light of a pattern's pixels; of moving ones, of the first frames.
  /// - Parameters:
  ///   - count: Frames that are made.
  ///   - isStopped: Asked before each frame; after it nobody looks at the result.
  init(_ pattern: TestPattern, on canvas: PatternCanvas, count: Int = 1, until isStopped: () -> Bool = { false }) {
    self.init(canvas.signal)
    for frame in 0..<(pattern.isMoving ? min(count, Self.mostFrames) : 1) where !isStopped() {
      add(PatternPainter(pattern.drawing(on: canvas, frame: frame)))
    }
  }

  init(_ plan: PatternPlan, until isStopped: () -> Bool = { false }) {
    self.init(plan.pattern, on: plan.canvas, count: plan.count, until: isStopped)
  }
}

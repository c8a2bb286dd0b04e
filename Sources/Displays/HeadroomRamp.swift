internal import Glibc

/// The headroom that is rendered for while that of a display changes: a fall takes effect at once, as nothing may exceed
/// what the display can do; a rise takes some time, so that nobody sees a jump.
///
/// It depends on the times of frames and on when the changes came, and on nothing else.
public struct HeadroomRamp: Sendable {
  /// Seconds that a rise takes.
  public let duration: Double
  /// Where the current rise began: in seconds, stops, and stops per second.
  private var start: (time: Double, stops: Double, speed: Double)
  private var target: Double

  /// A second: long enough for highlights to be seen to rise rather than jump.
  public static let defaultDuration = 1.0

  /// - Parameters:
  ///   - headroom: Where it begins, 1 or above.
  ///   - duration: Seconds that a rise takes; 0: it is not ramped.
  public init(headroom: Double, duration: Double = defaultDuration) {
    self.duration = duration
    target = log2(max(headroom, 1))
    start = (-.infinity, target, 0)
  }

  /// What to render for.
  /// - Parameters:
  ///   - time: Of the frame in seconds; frames come in order.
  ///   - current: The headroom that the display has now.
  /// - Returns: At most `current`.
  public mutating func headroom(at time: Double, current: Double) -> Double {
    let wanted = log2(max(current, 1))
    if wanted != target {
      let reached = position(at: time)
      // A display that fades has a new target for every frame: the rise goes on as fast as it was.
      start = reached.stops < wanted ? (time, reached.stops, reached.speed) : (time, wanted, 0)
      target = wanted
    }
    return min(exp2(position(at: time).stops), max(current, 1))
  }

  /// In stops, in which a ramp is even to the eye: a cubic from where and how fast the rise began to the target, where it rests.
  private func position(at time: Double) -> (stops: Double, speed: Double) {
    let elapsed = time - start.time
    guard duration > 0, elapsed < duration else { return (target, 0) }
    let (s, rise, run) = (max(elapsed / duration, 0), target - start.stops, start.speed * duration)
    return (
      start.stops + rise * s * s * (3 - 2 * s) + run * s * (1 - s) * (1 - s),
      (rise * 6 * s * (1 - s) + run * (1 - s) * (1 - 3 * s)) / duration
    )
  }
}

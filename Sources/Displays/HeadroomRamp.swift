internal import Glibc

/// Ramps the rendered headroom when the display's headroom changes. A decrease applies at once, because nothing may
/// exceed the display's capability; an increase is gradual, to avoid a visible jump.
///
/// Depends only on the times of frames and changes.
public struct HeadroomRamp: Sendable {
  /// Duration of an increase in seconds.
  public let duration: Double
  /// The start of the current increase: in seconds, stops, and stops per second.
  private var start: (time: Double, stops: Double, speed: Double)
  private var target: Double

  /// One second: long enough for highlights to rise smoothly.
  public static let defaultDuration = 1.0

  /// - Parameters:
  ///   - headroom: The initial headroom, 1 or above.
  ///   - duration: Duration of an increase in seconds; 0: no ramp.
  public init(headroom: Double, duration: Double = defaultDuration) {
    self.duration = duration
    target = log2(max(headroom, 1))
    start = (-.infinity, target, 0)
  }

  /// Returns the headroom to render for.
  /// - Parameters:
  ///   - time: The frame's time in seconds; must not decrease.
  ///   - current: The display's current headroom.
  /// - Returns: At most `current`.
  public mutating func headroom(at time: Double, current: Double) -> Double {
    let wanted = log2(max(current, 1))
    if wanted != target {
      let reached = position(at: time)
      // While a display fades, the target changes with every frame: the increase keeps its speed.
      start = reached.stops < wanted ? (time, reached.stops, reached.speed) : (time, wanted, 0)
      target = wanted
    }
    return min(exp2(position(at: time).stops), max(current, 1))
  }

  /// In stops, for a perceptually even ramp: a cubic that starts with the current position and speed and ends at the
  /// target at rest.
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

internal import Glibc

/// The headroom that is rendered for while that of a display changes: a fall takes effect at once, as nothing may exceed
/// what the display can do; a rise takes some time, so that nobody sees a jump.
///
/// It depends on the times of frames and on when the changes came, and on nothing else.
public struct HeadroomRamp: Sendable {
  /// Seconds that a rise takes.
  public let duration: Double
  private var start: (time: Double, stops: Double)
  private var target: Double

  /// A second: long enough for highlights to be seen to rise rather than jump.
  public static let defaultDuration = 1.0

  /// - Parameters:
  ///   - headroom: Where it begins, 1 or above.
  ///   - duration: Seconds that a rise takes; 0: it is not ramped.
  public init(headroom: Double, duration: Double = defaultDuration) {
    self.duration = duration
    (start, target) = ((-.infinity, log2(max(headroom, 1))), log2(max(headroom, 1)))
  }

  /// What to render for.
  /// - Parameters:
  ///   - time: Of the frame in seconds; frames come in order.
  ///   - current: The headroom that the display has now.
  /// - Returns: At most `current`.
  public mutating func headroom(at time: Double, current: Double) -> Double {
    let wanted = log2(max(current, 1))
    let reached = stops(at: time)
    if wanted != target { (start, target) = ((time, min(reached, wanted)), wanted) }
    return min(exp2(stops(at: time)), max(current, 1))
  }

  /// In stops, in which a ramp is even to the eye; gentle at both ends.
  private func stops(at time: Double) -> Double {
    let progress = duration > 0 ? min(max((time - start.time) / duration, 0), 1) : 1
    return start.stops + (target - start.stops) * progress * progress * (3 - 2 * progress)
  }
}

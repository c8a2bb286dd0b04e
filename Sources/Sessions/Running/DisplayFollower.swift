internal import Displays

/// Determines the display for which each frame is rendered, as it changes.
final class DisplayFollower {
  private let initial: DisplayStatus
  private let monitor: DisplayMonitor?
  private let events: [DisplayFollowing.Event]
  private var ramp: HeadroomRamp

  /// - Parameter initial: The display of the plan, which limits the brightness of the output.
  /// - Throws: `DisplayError` or `ThreadError` if it cannot be followed.
  init(_ following: DisplayFollowing, _ initial: DisplayStatus) throws {
    self.initial = initial
    ramp = HeadroomRamp(headroom: initial.currentHeadroom, duration: following.rampDuration)
    switch following.source {
    case .live(let source):
      // It may have been disconnected, which is a fault like any other.
      monitor = try DisplayMonitor(source, from: initial)
      events = []
    case .events(let events):
      monitor = nil
      self.events = events.sorted { $0.time < $1.time }
    }
  }

  deinit { monitor?.stop() }

  /// Returns why the display can no longer be read, once per loss.
  func takeFault() -> DisplayError? { monitor?.takeFault() }

  /// - Parameter time: Time of the frame in seconds; frames come in order.
  func status(at time: Double) -> DisplayStatus {
    var status = (monitor?.status ?? events.last { $0.time <= time }?.status ?? initial).capped(to: initial)
    let reached = ramp.headroom(at: time, current: status.currentHeadroom)
    status.rampedHeadroom = reached < status.currentHeadroom ? reached : nil
    return status
  }
}

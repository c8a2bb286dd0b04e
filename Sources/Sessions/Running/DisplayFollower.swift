internal import Displays

/// The display that each frame is rendered for, while it changes.
final class DisplayFollower {
  private let initial: DisplayStatus
  private let monitor: DisplayMonitor?
  private let events: [DisplayFollowing.Event]
  private var ramp: HeadroomRamp

  /// - Parameter initial: The display of the plan, which decides how bright the output may ever be.
  /// - Throws: `DisplayError` or `ThreadError` if it cannot be followed.
  init(_ following: DisplayFollowing, _ initial: DisplayStatus) throws {
    self.initial = initial
    ramp = HeadroomRamp(headroom: initial.currentHeadroom, duration: following.rampDuration)
    switch following.source {
    case .live(let source):
      // It may be gone meanwhile, which is a fault like any other.
      monitor = try DisplayMonitor(source, from: initial)
      events = []
    case .events(let events):
      monitor = nil
      self.events = events.sorted { $0.time < $1.time }
    }
  }

  deinit { monitor?.stop() }

  /// Why the display can no longer be read; once, until it can be again.
  func takeFault() -> DisplayError? { monitor?.takeFault() }

  /// - Parameter time: Of the frame in seconds; frames come in order.
  func status(at time: Double) -> DisplayStatus {
    var status = (monitor?.status ?? events.last { $0.time <= time }?.status ?? initial).capped(to: initial)
    let reached = ramp.headroom(at: time, current: status.currentHeadroom)
    status.rampedHeadroom = reached < status.currentHeadroom ? reached : nil
    return status
  }
}

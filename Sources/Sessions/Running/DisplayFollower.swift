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
    case .live(let name):
      monitor = try DisplayMonitor.Source(name).map { try DisplayMonitor($0) }
      events = []
    case .events(let events):
      monitor = nil
      self.events = events
    }
  }

  deinit { monitor?.stop() }

  /// - Parameter time: Of the frame in seconds; frames come in order.
  func status(at time: Double) -> DisplayStatus {
    var status = monitor?.status ?? events.last { $0.time <= time }?.status ?? initial
    // What the file states stays true, and its colours keep their meaning.
    status.model.peak = min(status.model.peak, initial.model.peak)
    status.model.sdrWhite = min(status.model.sdrWhite, status.model.peak)
    status.model.minimumSDRWhite = min(status.model.minimumSDRWhite, status.model.sdrWhite)
    status.limit = nil
    let reached = ramp.headroom(at: time, current: status.currentHeadroom)
    status.limit = reached < status.currentHeadroom ? reached : nil
    return status
  }
}

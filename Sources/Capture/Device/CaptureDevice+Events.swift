internal import CV4L2

/// The events of a device since the last query.
struct DeviceEvents: OptionSet {
  let rawValue: Int

  /// The signal has changed, appeared or disappeared.
  static let sourceChange = DeviceEvents(rawValue: 1)
  /// The source's HDR metadata has changed.
  static let metadataChange = DeviceEvents(rawValue: 2)
  /// An event without a subscription.
  static let other = DeviceEvents(rawValue: 4)
}

extension CaptureDevice {
  /// Maximum number of events to take at a time: a driver might report them faster than they are taken.
  private static let mostEvents = 64

  /// Subscribes to changes at the selected input. A device without events refuses and is polled instead.
  ///
  /// Source: Linux, Documentation/userspace-api/media/v4l/vidioc-dqevent.rst: the ID of a source change is the input
  /// number.
  func subscribeToChanges() {
    let input = selectedInput.flatMap { UInt32(exactly: $0) } ?? 0
    let changes = [
      (V4L2_EVENT_SOURCE_CHANGE, input), (V4L2_EVENT_CTRL, Self.contentLightID),
      (V4L2_EVENT_CTRL, Self.masteringDisplayID),
    ]
    for (type, id) in changes {
      var subscription = v4l2_event_subscription()
      (subscription.type, subscription.id) = (UInt32(type), id)
      _ = attempt(DeviceRequests.subscribeEvent, &subscription)
    }
  }

  /// Takes the pending events.
  func takeEvents() -> DeviceEvents {
    var events: DeviceEvents = []
    for _ in 0..<Self.mostEvents {
      var event = v4l2_event()
      guard attempt(DeviceRequests.dequeueEvent, &event) == 0 else { break }
      switch Int32(bitPattern: event.type) {
      case V4L2_EVENT_SOURCE_CHANGE: events.insert(.sourceChange)
      case V4L2_EVENT_CTRL: events.insert(.metadataChange)
      default: events.insert(.other)
      }
    }
    return events
  }
}

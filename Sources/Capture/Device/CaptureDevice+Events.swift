internal import CV4L2

/// What a device has reported since it was asked last.
struct DeviceEvents: OptionSet {
  let rawValue: Int

  /// The signal has changed, come or gone.
  static let sourceChange = DeviceEvents(rawValue: 1)
  /// The source says something else of its light.
  static let metadataChange = DeviceEvents(rawValue: 2)
  /// Something that was not asked for.
  static let other = DeviceEvents(rawValue: 4)
}

extension CaptureDevice {
  /// Events that are taken at a time: a driver might report them faster than they are taken.
  private static let mostEvents = 64

  /// Asks for reports of changes at the selected input. A device that has none refuses, and is asked for its state instead.
  ///
  /// Source: Linux, Documentation/userspace-api/media/v4l/vidioc-dqevent.rst: the id of a source change is the number of the input.
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

  /// Takes the reports that wait.
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

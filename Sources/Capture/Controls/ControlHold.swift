internal import Glibc
internal import Synchronization

/// Settings of a device that last as long as this object does, or until `restore()`: then it has again what it had.
public final class ControlHold: Sendable {
  /// The device, opened beside whoever captures from it: controls can be set meanwhile.
  let device: CaptureDevice
  /// What controls had, in the order in which they were first set.
  private let former = Mutex<[(id: UInt32, value: Int64)]>([])

  /// Times that a busy device is asked to take a value back, and milliseconds between them.
  private static let patience = (attempts: 20, pause: UInt32(10))

  /// Nothing is set yet.
  public init(_ device: CaptureDevice) { self.device = device }

  deinit { restore() }

  /// Sets a control, whose value so far is kept.
  /// - Throws: `CaptureError` if the device refuses, or has no such control.
  func set(_ id: UInt32, to value: Int64) throws(CaptureError) {
    // A control that cannot be read goes back to what it begins with.
    let before = device.number(id) ?? device.control(numbered: id)?.defaultValue
    if before == value { return }
    try device.set(id, to: value)
    guard let before else { return }
    former.withLock { former in
      if !former.contains(where: { $0.id == id }) { former.append((id, before)) }
    }
  }

  /// Sets a control if the device has it and lets it be set.
  /// - Returns: Whether it has the value now.
  /// - Throws: `CaptureError.isGone`
  @discardableResult
  func setIfPossible(_ id: UInt32, to value: Int64) throws(CaptureError) -> Bool {
    do {
      try set(id, to: value)
      return true
    } catch {
      if case .isGone = error { throw error }
      return false
    }
  }

  /// Gives the device back what it had, the last setting first. From any thread, any number of times; a device that has
  /// gone needs nothing.
  public func restore() {
    let settings = former.withLock { former in
      defer { former = [] }
      return former
    }
    for (id, value) in settings.reversed() {
      for _ in 0..<Self.patience.attempts {
        guard device.attempt(id, value) == EBUSY else { break }
        usleep(Self.patience.pause * 1000)
      }
    }
  }
}

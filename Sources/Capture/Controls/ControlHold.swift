internal import Glibc
internal import Synchronization

/// Temporary control settings of a device, undone by `restore()` or when the object is released.
public final class ControlHold: Sendable {
  /// The device on a separate file handle: controls can be set while another handle captures.
  let device: CaptureDevice
  /// The previous values of controls, in the order in which they were first set.
  private let former = Mutex<[(id: UInt32, value: Int64)]>([])

  /// Number of tries to restore a value on a busy device, and milliseconds between them.
  private static let patience = (attempts: 20, pause: UInt32(10))

  /// Creates a hold without any settings.
  public init(_ device: CaptureDevice) { self.device = device }

  deinit { restore() }

  /// Sets a control and keeps its previous value.
  /// - Throws: `CaptureError` if the device refuses or does not have the control.
  func set(_ id: UInt32, to value: Int64) throws(CaptureError) {
    // A control that cannot be read is restored to its default.
    let before = device.number(id) ?? device.control(numbered: id)?.defaultValue
    if before == value { return }
    try device.set(id, to: value)
    guard let before else { return }
    former.withLock { former in
      if !former.contains(where: { $0.id == id }) { former.append((id, before)) }
    }
  }

  /// Sets a control if the device has it and it is settable.
  /// - Returns: Whether the control now has the value.
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

  /// Restores the previous values, the last setting first. Callable from any thread, any number of times; does nothing
  /// if the device is gone.
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

internal import CV4L2
public import Frames
internal import Glibc
internal import Synchronization

/// The exposure of a device, as far as its driver reports it and makes it settable.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/ext-ctrls-camera.rst and control.rst.
public struct ExposureControl: Sendable, Hashable, Codable {
  /// Exposure time in seconds; nil: unknown.
  public let seconds: Double?
  /// Range of settable exposure times, in seconds; nil: none.
  public let times: ClosedRange<Double>?
  /// Gain in the driver's unit; nil: unknown.
  public let gain: Int64?
  /// The device adapts exposure time or gain automatically.
  public let isAutomatic: Bool

  /// V4L2 exposure units per second.
  static let units = 1e4

  init(_ controls: [CaptureControl]) {
    func control(_ id: Int32) -> CaptureControl? { controls.first { $0.id == UInt32(id) } }
    let time = control(V4L2_CID_EXPOSURE_ABSOLUTE)
    seconds = time?.value.flatMap { $0 > 0 ? Double($0) / Self.units : nil }
    times = time.flatMap { time in
      let minimum = max(time.minimum, 1)
      return minimum < time.maximum ? Double(minimum) / Self.units...Double(time.maximum) / Self.units : nil
    }
    gain = control(V4L2_CID_GAIN)?.value
    let mode = control(V4L2_CID_EXPOSURE_AUTO)?.value
    let isTimed = mode.map { $0 == 0 || $0 == Int64(V4L2_EXPOSURE_APERTURE_PRIORITY.rawValue) } ?? false
    isAutomatic = isTimed || control(V4L2_CID_AUTOGAIN)?.value == 1
  }

  /// The exposure recorded in frames.
  public var exposure: Exposure? { seconds.map { Exposure(seconds: $0) } }
}

extension CaptureDevice {
  /// The current exposure.
  public var exposure: ExposureControl { ExposureControl(controls) }
}

/// Temporary control settings of a device, undone by `restore()` or when the object is released.
public final class ControlHold: Sendable {
  /// The device on a separate file handle: controls can be set while another handle captures.
  let device: CaptureDevice
  /// The previous values of controls, in the order in which they were first set.
  private let former = Mutex<[(id: UInt32, value: Int64)]>([])

  /// Number of tries to restore a value on a busy device, and milliseconds between them.
  private static let retries = (attempts: 20, pause: UInt32(10))

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
      for _ in 0..<Self.retries.attempts {
        guard device.attempt(id, value) == EBUSY else { break }
        usleep(Self.retries.pause * 1000)
      }
    }
  }

  /// An automatic control, the value that turns it off, and the control whose current value is kept.
  private static let automatics: [(id: Int32, value: Int64, kept: Int32)] = [
    (V4L2_CID_EXPOSURE_AUTO, Int64(V4L2_EXPOSURE_MANUAL.rawValue), V4L2_CID_EXPOSURE_ABSOLUTE),
    (V4L2_CID_AUTOGAIN, 0, V4L2_CID_GAIN),
    (V4L2_CID_AUTO_WHITE_BALANCE, 0, V4L2_CID_WHITE_BALANCE_TEMPERATURE),
  ]

  /// Freezes exposure, gain and white balance: the frames of a pair must differ in light only.
  /// - Returns: Whether all automatics are off, as far as the device reports.
  /// - Throws: `CaptureError.isGone`
  public func holdExposure() throws(CaptureError) -> Bool {
    var isHeld = true
    for (id, value, kept) in Self.automatics {
      guard let automatic = device.number(UInt32(id)), automatic != value else { continue }
      let chosen = device.number(UInt32(kept))
      guard try setIfPossible(UInt32(id), to: value) else {
        isHeld = false
        continue
      }
      // Drivers may revert to the last manual value.
      if let chosen { try setIfPossible(UInt32(kept), to: chosen) }
    }
    return isHeld
  }

  /// Sets the exposure time, after `holdExposure()` has turned the automatics off.
  /// - Parameter seconds: Clamped to the range of the device.
  /// - Returns: The exposure time set, in seconds; nil if it is not settable.
  /// - Throws: `CaptureError.isGone`
  public func setExposure(_ seconds: Double) throws(CaptureError) -> Double? {
    guard let range = device.exposure.times, seconds.isFinite else { return nil }
    let units = (min(max(seconds, range.lowerBound), range.upperBound) * ExposureControl.units).rounded()
    let isSet = try setIfPossible(UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), to: Int64(units))
    return isSet ? units / ExposureControl.units : nil
  }
}

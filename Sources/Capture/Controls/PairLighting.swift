internal import CV4L2
public import Frames
internal import Synchronization

/// Holds the exposure of a device and drives its flash while a pair of frames is captured, one without flash and one
/// with it. Restores the device's settings afterwards.
public final class PairLighting: Sendable {
  /// The settable ranges and current settings.
  private struct State {
    /// Range of settable exposure times, in seconds; nil: none.
    var times: ClosedRange<Double>?
    var exposure: Exposure?
    /// Intensity of the flash, in the driver's unit; nil: it is fixed.
    var intensity: Double?
  }

  /// The flash in use; nil: the device has none, and the user has to switch a lamp.
  public let flash: FlashControl?
  /// All automatics are off, as far as the device reports.
  public let isExposureHeld: Bool
  private let hold: ControlHold
  private let state = Mutex(State())

  /// Frames to skip until a new exposure has settled.
  public static let settling = 8
  /// Numbers of the frames after which the flash is switched on and off. Settings take effect some frames later.
  static let lit = 12..<28
  /// Frames after which the flash must have appeared, if it works.
  public static let duration = lit.upperBound + settling

  /// Holds the exposure, and switches the flash off.
  /// - Parameter device: A handle separate from the one that captures.
  /// - Throws: `CaptureError.isGone`
  public init(_ device: CaptureDevice) throws(CaptureError) {
    hold = ControlHold(device)
    flash = device.flash
    isExposureHeld = try hold.holdExposure()
    let control = device.exposure
    // A torch that is already on would light both frames.
    if let flash { try hold.switchOff(flash) }
    let greatest = flash?.intensities.map { Double($0.upperBound) }
    state.withLock { state in
      // The exposure time is not settable while the device still adapts it.
      state.times = control.isAutomatic ? nil : control.times
      (state.exposure, state.intensity) = (control.exposure, greatest)
    }
  }

  /// The exposure of both frames, as far as the device reports it.
  public var exposure: Exposure? { state.withLock { $0.exposure } }

  /// Intensity of the flash relative to its maximum, from 0 to 1; nil: fixed intensity, or no flash.
  public var intensity: Double? {
    guard let greatest = flash?.intensities?.upperBound else { return nil }
    return state.withLock { $0.intensity }.map { $0 / Double(greatest) }
  }

  /// Settable factors of the exposure time, relative to the current one; nil: none.
  public var exposureFactors: ClosedRange<Double>? {
    state.withLock { state in
      guard let times = state.times, let seconds = state.exposure?.seconds, seconds > 0 else { return nil }
      return times.lowerBound / seconds...times.upperBound / seconds
    }
  }

  /// Settable factors of the flash intensity, relative to the current one; nil: none.
  public var flashFactors: ClosedRange<Double>? {
    guard let range = flash?.intensities, let intensity = state.withLock({ $0.intensity }), intensity > 0
    else { return nil }
    // Drivers count in milliamperes where possible, which are proportional to light. 0 would be no flash.
    return Double(max(range.lowerBound, 1)) / intensity...Double(range.upperBound) / intensity
  }

  /// Starts another pair with other settings: switches the flash off and lets frames settle again.
  /// - Parameters:
  ///   - exposure: Factor of the exposure time.
  ///   - intensity: Factor of the flash's intensity.
  /// - Returns: Whether the device accepted any of them; if not, only the flash has changed to off.
  /// - Throws: `CaptureError` if the device refuses to switch the flash off, or is gone.
  public func begin(exposure: Double, intensity: Double) throws(CaptureError) -> Bool {
    if let flash { try hold.switchOff(flash) }
    return try [setExposure(exposure), setIntensity(intensity)].contains(true)
  }

  private func setExposure(_ factor: Double) throws(CaptureError) -> Bool {
    guard exposureFactors != nil, factor != 1, let before = self.exposure?.seconds else { return false }
    let isSet = try hold.setExposure(before * factor) != nil
    // Drivers may set a different time from the requested one.
    let now = hold.device.exposure.exposure
    state.withLock { state in
      if isSet { state.exposure = now } else { state.times = nil }
    }
    return isSet && now?.seconds != before
  }

  private func setIntensity(_ factor: Double) -> Bool {
    guard let factors = flashFactors else { return false }
    return state.withLock { state in
      guard let before = state.intensity else { return false }
      let now = (before * min(max(factor, factors.lowerBound), factors.upperBound)).rounded()
      state.intensity = now
      return now != before
    }
  }

  /// The intensity's position in the range of the flash, from 0 to 1.
  private var level: Double {
    guard let range = flash?.intensities, let intensity = state.withLock({ $0.intensity }) else { return 1 }
    return (intensity - Double(range.lowerBound)) / Double(range.upperBound - range.lowerBound)
  }

  /// Switches the flash at the frames that `lit` names.
  /// - Parameter number: Number of the frame since the exposure was held or set, from 0.
  /// - Throws: `CaptureError` if the device refuses.
  public func advance(to number: Int) throws(CaptureError) {
    guard let flash else { return }
    if number == Self.lit.lowerBound { try hold.switchOn(flash, level: level) }
    if number == Self.lit.upperBound { try hold.switchOff(flash) }
  }

  /// Restores the device's settings. Callable from any thread, any number of times.
  public func restore() { hold.restore() }
}

/// The flash of a device, as far as programs can control it.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/ext-ctrls-flash.rst.
public struct FlashControl: Sendable, Hashable, Codable {
  /// How the flash lights whole frames.
  public enum Light: String, Sendable, Hashable, Codable {
    /// Stays on until it is switched off.
    case torch
    /// Strobed by the program; ends after the flash's maximum duration.
    case strobe
  }

  /// The kind of light.
  public let light: Light
  /// Range of intensities, in the driver's unit; nil: the intensity is fixed.
  public let intensities: ClosedRange<Int64>?

  /// - Returns: nil if programs cannot control the flash.
  init?(_ controls: [CaptureControl]) {
    func control(_ id: Int32) -> CaptureControl? { controls.first { $0.id == UInt32(id) } }
    guard let mode = control(V4L2_CID_FLASH_LED_MODE), mode.isSettable else { return nil }
    func has(_ value: v4l2_flash_led_mode) -> Bool {
      mode.items.isEmpty
        ? (mode.minimum...max(mode.minimum, mode.maximum)).contains(Int64(value.rawValue))
        : mode.items.contains { $0.value == Int64(value.rawValue) }
    }
    let strength: CaptureControl?
    if has(V4L2_FLASH_LED_MODE_TORCH) {
      (light, strength) = (.torch, control(V4L2_CID_FLASH_TORCH_INTENSITY))
    } else if has(V4L2_FLASH_LED_MODE_FLASH), control(V4L2_CID_FLASH_STROBE) != nil {
      (light, strength) = (.strobe, control(V4L2_CID_FLASH_INTENSITY))
    } else {
      return nil
    }
    intensities = strength.flatMap { $0.isSettable && $0.minimum < $0.maximum ? $0.minimum...$0.maximum : nil }
  }
}

extension CaptureDevice {
  /// The flash; nil if the device has none that programs can control.
  public var flash: FlashControl? { FlashControl(controls) }
}

extension ControlHold {
  /// Switches the flash on.
  /// - Parameters:
  ///   - flash: The flash of the device.
  ///   - level: From 0, the minimum intensity, to 1, the maximum; ignored if the intensity is fixed.
  /// - Throws: `CaptureError` if the device refuses; the flash is then off.
  public func switchOn(_ flash: FlashControl, level: Double = 1) throws(CaptureError) {
    if let range = flash.intensities {
      let value =
        range.lowerBound + Int64((min(max(level, 0), 1) * Double(range.upperBound - range.lowerBound)).rounded())
      let id = flash.light == .torch ? V4L2_CID_FLASH_TORCH_INTENSITY : V4L2_CID_FLASH_INTENSITY
      try set(UInt32(id), to: value)
    }
    switch flash.light {
    case .torch: try set(UInt32(V4L2_CID_FLASH_LED_MODE), to: Int64(V4L2_FLASH_LED_MODE_TORCH.rawValue))
    case .strobe:
      let longest = device.control(numbered: UInt32(V4L2_CID_FLASH_TIMEOUT))?.maximum
      if let longest { try setIfPossible(UInt32(V4L2_CID_FLASH_TIMEOUT), to: longest) }
      try setIfPossible(
        UInt32(V4L2_CID_FLASH_STROBE_SOURCE), to: Int64(V4L2_FLASH_STROBE_SOURCE_SOFTWARE.rawValue))
      try set(UInt32(V4L2_CID_FLASH_LED_MODE), to: Int64(V4L2_FLASH_LED_MODE_FLASH.rawValue))
      do {
        try device.set(UInt32(V4L2_CID_FLASH_STROBE), to: 1)
      } catch {
        try? switchOff(flash)
        throw error
      }
    }
  }

  /// Switches the flash off, even if it was on before.
  /// - Throws: `CaptureError` if the device refuses.
  public func switchOff(_ flash: FlashControl) throws(CaptureError) {
    if flash.light == .strobe, device.control(numbered: UInt32(V4L2_CID_FLASH_STROBE_STOP)) != nil {
      // Stopping a strobe that has ended fails.
      _ = device.attempt(UInt32(V4L2_CID_FLASH_STROBE_STOP), 1)
    }
    try set(UInt32(V4L2_CID_FLASH_LED_MODE), to: Int64(V4L2_FLASH_LED_MODE_NONE.rawValue))
  }
}

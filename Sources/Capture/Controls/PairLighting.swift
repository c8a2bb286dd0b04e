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
    guard let range = flash?.intensities, let intensity = state.withLock({ $0.intensity }), intensity > 0 else {
      return nil
    }
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

public import Frames
internal import Synchronization

/// Holds the exposure of a device and drives its flash while a pair of frames is captured: some frames without it, some
/// with it. Afterwards the device has again what it had.
public final class PairLighting: Sendable {
  /// What can still be set, and what has been.
  private struct State {
    /// Exposure times that can be set, in seconds; nil: none.
    var times: ClosedRange<Double>?
    var exposure: Exposure?
    /// Intensity of the flash, in the driver's unit; nil: it has one only.
    var intensity: Double?
  }

  /// The flash that is driven; nil: the device has none, and somebody has to switch a lamp.
  public let flash: FlashControl?
  /// Nothing adapts by itself meanwhile, as far as the device tells.
  public let isExposureHeld: Bool
  private let hold: ControlHold
  private let state = Mutex(State())

  /// Frames that an exposure takes to settle; they are none of the pair.
  public static let settling = 8
  /// Number of the frame after which the flash is switched on, and of that after which it is switched off. What is set
  /// shows some frames later.
  static let lit = 12..<28
  /// Frames after which a flash that is driven has shown, if it ever does.
  public static let duration = lit.upperBound + settling

  /// Holds the exposure; the flash is still as it was.
  /// - Parameter device: Opened beside whoever captures from it.
  /// - Throws: `CaptureError.isGone`
  public init(_ device: CaptureDevice) throws(CaptureError) {
    hold = ControlHold(device)
    flash = device.flash
    isExposureHeld = try hold.holdExposure()
    let control = device.exposure
    // A torch that is on already would light both frames.
    if let flash { try hold.switchOff(flash) }
    let greatest = flash?.intensities.map { Double($0.upperBound) }
    state.withLock { state in
      // A time that the device chooses again is not set.
      state.times = control.isAutomatic ? nil : control.times
      (state.exposure, state.intensity) = (control.exposure, greatest)
    }
  }

  /// The exposure of both frames, as far as the device tells.
  public var exposure: Exposure? { state.withLock { $0.exposure } }

  /// Intensity of the flash relative to its greatest, from 0 to 1; nil: it has one only, or there is none.
  public var intensity: Double? {
    guard let greatest = flash?.intensities?.upperBound else { return nil }
    return state.withLock { $0.intensity }.map { $0 / Double(greatest) }
  }

  /// Factors of the exposure time that can be set, relative to the present; nil: none.
  public var exposureFactors: ClosedRange<Double>? {
    state.withLock { state in
      guard let times = state.times, let seconds = state.exposure?.seconds, seconds > 0 else { return nil }
      return times.lowerBound / seconds...times.upperBound / seconds
    }
  }

  /// Factors of the flash's intensity that can be set, relative to the present; nil: none.
  public var flashFactors: ClosedRange<Double>? {
    guard let range = flash?.intensities, let intensity = state.withLock({ $0.intensity }), intensity > 0 else {
      return nil
    }
    // Drivers count in milliamperes, if they can: light is in proportion. At 0 there is no flash.
    return Double(max(range.lowerBound, 1)) / intensity...Double(range.upperBound) / intensity
  }

  /// Begins another pair with other settings: the flash is off, and frames settle again.
  /// - Parameters:
  ///   - exposure: Factor of the exposure time.
  ///   - intensity: Factor of the flash's intensity.
  /// - Returns: Whether the device takes any of them; if not, all is as it was, but the flash is off.
  /// - Throws: `CaptureError` if the device refuses to switch the flash off, or is gone.
  public func begin(exposure: Double, intensity: Double) throws(CaptureError) -> Bool {
    if let flash { try hold.switchOff(flash) }
    return try [setExposure(exposure), setIntensity(intensity)].contains(true)
  }

  private func setExposure(_ factor: Double) throws(CaptureError) -> Bool {
    guard exposureFactors != nil, factor != 1, let before = self.exposure?.seconds else { return false }
    let isSet = try hold.setExposure(before * factor) != nil
    // Drivers may set another time than they were asked for.
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

  /// The intensity's place among those of the flash, from 0 to 1.
  private var level: Double {
    guard let range = flash?.intensities, let intensity = state.withLock({ $0.intensity }) else { return 1 }
    return (intensity - Double(range.lowerBound)) / Double(range.upperBound - range.lowerBound)
  }

  /// A frame has come: the flash is switched if it is time.
  /// - Parameter number: Number of the frame since the exposure was held or set, from 0.
  /// - Throws: `CaptureError` if the device refuses.
  public func advance(to number: Int) throws(CaptureError) {
    guard let flash else { return }
    if number == Self.lit.lowerBound { try hold.switchOn(flash, level: level) }
    if number == Self.lit.upperBound { try hold.switchOff(flash) }
  }

  /// Gives the device back what it had. From any thread, any number of times.
  public func restore() { hold.restore() }
}

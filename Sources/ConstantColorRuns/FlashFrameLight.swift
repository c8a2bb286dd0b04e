package import Capture
package import Frames
internal import Sessions

/// Light and exposure of a device while its frames are read.
package protocol FlashFrameLight: Sendable {
  /// The device drives its flash; no lamp is switched by hand.
  var isDriven: Bool { get }
  /// Current exposure, if known.
  var exposure: Exposure? { get }
  /// Current flash intensity relative to the maximum, from 0 to 1; nil: cannot be set.
  var intensity: Double? { get }
  /// Settable range of the exposure time, relative to the current one; nil: none.
  var exposureFactors: ClosedRange<Double>? { get }
  /// Settable range of the flash intensity, relative to the current one; nil: none.
  var flashFactors: ClosedRange<Double>? { get }

  /// Receives a frame, and switches the flash when due.
  /// - Parameter number: Number of the frame since the settings were made, from 0.
  /// - Throws: The error of the device.
  func advance(to number: Int) throws

  /// Starts another pair with other settings, if the device accepts any of them.
  /// - Parameters:
  ///   - exposure: Factor of the exposure time.
  ///   - intensity: Factor of the flash's intensity.
  /// - Returns: Whether a setting has changed.
  /// - Throws: The error of the device.
  func begin(exposure: Double, intensity: Double) throws -> Bool
}

extension FlashFrameLight {
  /// The current settings.
  var setting: FlashFrameSetting { FlashFrameSetting(exposure: exposure, intensity: intensity) }
}

extension PairLighting: FlashFrameLight {
  /// The device has a flash that can be driven by software.
  package var isDriven: Bool { flash != nil }
}

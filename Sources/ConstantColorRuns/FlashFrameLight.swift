package import Capture
package import Frames
internal import Sessions

/// The light and the exposure of a device while its frames are read.
package protocol FlashFrameLight: Sendable {
  /// The device's own flash is switched, not a lamp by hand.
  var isDriven: Bool { get }
  /// The exposure of frames now, as far as it is known.
  var exposure: Exposure? { get }
  /// Intensity of the flash now relative to its greatest, from 0 to 1; nil: it cannot be set.
  var intensity: Double? { get }
  /// Factors of the exposure time that can be set, relative to the present; nil: none.
  var exposureFactors: ClosedRange<Double>? { get }
  /// The same of the flash's intensity.
  var flashFactors: ClosedRange<Double>? { get }

  /// A frame has come: the flash is switched if it is time.
  /// - Parameter number: Number of the frame since the settings were made, from 0.
  /// - Throws: The error of the device.
  func advance(to number: Int) throws

  /// Begins another pair with other settings, if the device takes any of them.
  /// - Parameters:
  ///   - exposure: Factor of the exposure time.
  ///   - intensity: Factor of the flash's intensity.
  /// - Returns: Whether anything is another now.
  /// - Throws: The error of the device.
  func begin(exposure: Double, intensity: Double) throws -> Bool
}

extension FlashFrameLight {
  /// What frames are taken with now.
  var setting: FlashFrameSetting { FlashFrameSetting(exposure: exposure, intensity: intensity) }
}

extension PairLighting: FlashFrameLight {
  /// The device has a flash that a program can use.
  package var isDriven: Bool { flash != nil }
}

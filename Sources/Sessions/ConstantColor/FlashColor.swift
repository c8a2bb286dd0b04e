internal import ConstantColor
internal import Foundation

/// The colour of the flash, and what it rests on.
struct FlashColor {
  /// What is assumed if nothing is known: that of a xenon flash.
  static let assumedTemperature = 5500.0

  let light: FlashLight
  let basis: FlashBasis

  /// - Throws: `Refusal` if the file of a calibration cannot be read, `CalibrationError` if it is none.
  init(_ request: ConstantColorRequest.Flash) throws {
    switch request {
    case .assumed: (light, basis) = (.temperature(Self.assumedTemperature), .temperature(Self.assumedTemperature))
    case .temperature(let kelvins): (light, basis) = (.temperature(kelvins), .temperature(kelvins))
    case .neutral(let rgb): (light, basis) = (.neutral(rgb), .neutral(rgb))
    case .calibration(let path):
      let calibration = try ColorCalibration(json: Data(DescriptionFile.bytes(of: path)))
      let name = [calibration.camera ?? calibration.components, calibration.flash].compactMap(\.self)
      light = .calibrated(calibration)
      basis = .calibration(
        name: name.joined(separator: ", "), meanDeltaE: calibration.residuals?.mean,
        largestDeltaE: calibration.residuals?.max)
    }
  }
}

internal import ConstantColor
internal import Foundation
internal import Frames
internal import Sessions

/// The flash colour, and its source.
struct FlashColor {
  /// Default temperature in kelvins: a xenon flash.
  static let assumedTemperature = 5500.0

  private let light: FlashLight
  /// The calibrated camera, if known.
  private let camera: String?
  let basis: FlashBasis

  /// Returns the flash light for pictures in an orientation.
  func light(in orientation: Orientation) -> FlashLight {
    guard case .calibrated(var calibration) = light else { return light }
    calibration.falloff = calibration.falloff?.turned(by: orientation)
    return .calibrated(calibration)
  }

  /// - Throws: `ConstantColorError.calibration` if another camera was calibrated, provided both are known.
  func check(_ pictures: String?) throws(ConstantColorError) {
    if let camera, let pictures, camera != pictures { throw .calibration(of: camera, picture: pictures) }
  }

  /// - Throws: `Refusal` if a calibration file cannot be read, `CalibrationError` if it is not a calibration.
  init(_ request: ConstantColorRequest.Flash) throws {
    var camera: String?
    switch request {
    case .assumed:
      (light, basis) = (.temperature(Self.assumedTemperature), .temperature(Self.assumedTemperature))
    case .temperature(let kelvins): (light, basis) = (.temperature(kelvins), .temperature(kelvins))
    case .neutral(let rgb): (light, basis) = (.neutral(rgb), .neutral(rgb))
    case .calibration(let path):
      let calibration = try ColorCalibration(json: Data(DescriptionFile.bytes(of: path)))
      let name = [calibration.camera ?? calibration.components, calibration.flash].compactMap(\.self)
      light = .calibrated(calibration)
      camera = calibration.camera
      basis = .calibration(
        name: name.joined(separator: ", "), meanDeltaE: calibration.residuals?.mean,
        largestDeltaE: calibration.residuals?.max)
    }
    self.camera = camera
  }
}

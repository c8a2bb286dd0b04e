import ColorScience
import ConstantColor
import Foundation
import Frames

/// What surfaces look like in D65, and what a camera must do to say so.
enum SimulatedColor {
  /// CIE XYZ of a surface in D65, relative to the white of `CIELAB`: wavelengths outside the tables are left out for both.
  static func xyz(_ reflectance: Spectrum) -> SIMD3<Double> {
    let lit = reflectance * Spectra.d65
    let white = SIMD3(Spectra.observer.map { $0.sum(with: Spectra.d65) })
    return CIELAB.white * SIMD3(Spectra.observer.map { $0.sum(with: lit) }) / white
  }

  static func lab(_ reflectance: Spectrum) -> SIMD3<Double> { CIELAB.fromXYZ(xyz(reflectance)) }

  /// The surfaces that calibrations are fitted to; skin is none of them.
  private static let training = Spectra.reflectances(.colorChecker, .munsell, .various).map(\.spectrum)

  /// The calibration of a camera and a flash in the dark, at the exposure where white fills 0.85 of saturation.
  ///
  /// Least squares in the cube roots of X, Y and Z, of which CIELAB is made.
  static func calibration(_ camera: SimulatedCamera, flash: SimulatedLight, lux: Double = 400) -> ColorCalibration {
    let exposure = camera.exposure(for: [(flash, lux: lux)])
    let responses = training.map { exposure * lux * camera.response(to: $0, flash) }
    let targets = training.map(xyz)
    let rows = (0..<3).map { channel in
      row(responses, targets.map { $0[channel] }, limit: 0.01 * CIELAB.white[channel])
    }
    let white = camera.response(to: Spectra.white.spectrum, flash)
    var result = ColorCalibration(
      components: camera.name, toXYZ: Matrix3(rows[0], rows[1], rows[2]), white: white / white.y)
    result.exposure = camera.description(exposure: exposure, flashFired: true).exposure
    return result
  }

  /// One row of the matrix by weighted least squares; the weights are the slopes of the cube root.
  private static func row(_ responses: [SIMD3<Double>], _ targets: [Double], limit: Double) -> SIMD3<Double> {
    var (normal, right) = ([SIMD3<Double>](repeating: SIMD3(), count: 3), SIMD3<Double>())
    for (response, target) in zip(responses, targets) {
      let weight = 1 / pow(max(target, limit), 4.0 / 3)
      for index in 0..<3 { normal[index] += weight * response[index] * response }
      right += weight * target * response
    }
    return Matrix3(normal[0], normal[1], normal[2]).inverse * right
  }
}

import ColorScience
import ConstantColor
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

  /// The calibration of a camera and a flash from their spectra, made absolute at the exposure where white fills 0.85 of
  /// saturation in the dark.
  static func calibration(
    _ camera: SimulatedCamera, flash: SimulatedLight, lux: Double = 400
  ) throws -> ColorCalibration {
    var result = try SpectralCalibration(
      camera: SpectralTable(csv: csv(camera.sensitivities), columns: 3),
      flash: SpectralTable(csv: csv([flash.spectrum]), columns: 1), name: camera.name
    ).calibration
    let exposure = camera.exposure(for: [(flash, lux: lux)])
    let white = exposure * lux * camera.response(to: Spectra.white.spectrum, flash)
    result.toXYZ = Matrix3(diagonal: SIMD3(repeating: 1 / white.y)) * result.toXYZ
    result.exposure = camera.description(exposure: exposure, flashFired: true).exposure
    return result
  }

  /// CIEDE2000 of surfaces in the light of the flash alone, without noise: what the matrix leaves.
  static func matrixErrors(
    _ camera: SimulatedCamera, flash: SimulatedLight, _ surfaces: Set<Spectra.Reflectance>
  ) throws -> [Spectra.Reflectance: Double] {
    let calibration = try calibration(camera, flash: flash)
    let exposure = camera.exposure(for: [(flash, lux: 400)])
    return Dictionary(
      uniqueKeysWithValues: surfaces.map { surface in
        let response = exposure * 400 * camera.response(to: surface.spectrum, flash)
        let color = CIELAB.fromXYZ(calibration.toXYZ * response)
        return (surface, CIELAB.deltaE2000(color, lab(surface.spectrum)))
      })
  }

  private static func csv(_ columns: [Spectrum]) -> String {
    Spectrum.wavelengths.indices.map { index in
      ([Spectrum.wavelengths[index]] + columns.map { $0.values[index] }).map { "\($0)" }.joined(separator: ",")
    }.joined(separator: "\n")
  }
}

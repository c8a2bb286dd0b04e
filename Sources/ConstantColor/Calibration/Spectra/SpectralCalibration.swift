internal import ColorScience
internal import Frames

/// A calibration from the spectral sensitivities of a camera and the spectrum of its flash.
public struct SpectralCalibration: Sendable, Hashable {
  /// The calibration. Spectra do not reveal how bright white is in a picture, so G of white is 1 where Y is.
  public let calibration: ColorCalibration
  /// CIEDE2000 between each patch of the ColorChecker and its colour in D65, in the order of `ColorCheckerPatch.all`.
  public let differences: [Double]

  /// Weights of white, the ColorChecker patches, the smooth pigment spectra, and skin.
  private static let weights = (white: 0.2, colorChecker: 1.0, smooth: 0.5, skin: 1.0)

  /// Calibrates a camera for a flash.
  /// - Parameters:
  ///   - camera: The response of R, G and B to light of each wavelength, lens included.
  ///   - flash: The power of the flash at each wavelength.
  ///   - name: Name of the camera, as in its pictures.
  ///   - flashName: The flash, in the user's words.
  /// - Throws: `CalibrationError.dependentChannels`
  public init(
    camera: SpectralTable, flash: SpectralTable, name: String, flashName: String? = nil
  ) throws(CalibrationError) {
    precondition(camera.columns.count == 3 && flash.columns.count == 1)
    let light = flash.resampled(0)
    let weights = (0..<3).map { channel in zip(camera.resampled(channel), light).map { $0 * $1 } }
    func response(_ reflectance: [Double]) -> SIMD3<Double> {
      var result = SIMD3<Double>.zero
      for channel in 0..<3 { result[channel] = zip(weights[channel], reflectance).reduce(0) { $0 + $1.0 * $1.1 } }
      return result
    }
    let white = response(TrainingReflectances.white)
    guard white.min() > 0 else { throw .dependentChannels }
    func samples(_ reflectances: [[Double]], weight: Double) -> [ColorFit.Sample] {
      reflectances.map {
        ColorFit.Sample(
          rgb: response($0) / white.y, xyz: Self.xyz($0), weight: weight / Double(reflectances.count))
      }
    }
    let patches = samples(TrainingReflectances.colorChecker, weight: Self.weights.colorChecker)
    let fit = ColorFit(
      samples([TrainingReflectances.white], weight: Self.weights.white) + patches
        + samples(TrainingReflectances.smooth, weight: Self.weights.smooth)
        + samples(TrainingReflectances.skin, weight: Self.weights.skin))
    guard let matrix = fit.matrix() else { throw .dependentChannels }
    differences = ColorFit(patches).differences(matrix)
    let mean = differences.reduce(0, +) / Double(differences.count)
    calibration = ColorCalibration(
      components: name, toXYZ: matrix, white: white / white.y, camera: name, flash: flashName, source: .spectra,
      residuals: ColorCalibration.Residuals(mean: mean, max: differences.max() ?? mean))
  }

  /// Returns XYZ of a surface in D65, Y = 1 for white, with the chromaticity of `CIELAB.white`.
  ///
  /// Source: CIE 015:2018, 7.1.
  static func xyz(_ reflectance: [Double]) -> SIMD3<Double> {
    func sum(_ reflectance: [Double]) -> SIMD3<Double> {
      var result = SIMD3<Double>.zero
      for (index, value) in reflectance.enumerated() {
        result += CIE1931Observer.colorMatching[index] * (IlluminantD65.power[index] * value)
      }
      return result
    }
    return sum(reflectance) / sum(TrainingReflectances.white) * CIELAB.white
  }
}

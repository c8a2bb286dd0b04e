internal import ColorScience
internal import Frames
internal import Glibc

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

/// Training reflectances for camera calibration, at the wavelengths of `CIE1931Observer`.
enum TrainingReflectances {
  /// The ColorChecker, extrapolated beyond its wavelength range.
  static let colorChecker: [[Double]] = ColorCheckerPatch.reflectances.map { values in
    CIE1931Observer.wavelengths.map { wavelength in
      let place = (Double(wavelength) - Double(ColorCheckerPatch.wavelengths[0])) / 10
      let index = min(Int(place), values.count - 2)
      let share = min(place - Double(index), 1)
      return values[index] + share * (values[index + 1] - values[index])
    }
  }

  /// A perfect white.
  static let white = CIE1931Observer.wavelengths.map { _ in 1.0 }

  /// Smooth spectra of many hues, lightnesses and saturations: edges (yellow and red pigments), bands (green and blue
  /// ones) and absorption bands (purple ones), each from weak to strong.
  static let smooth: [[Double]] = {
    let levels = [(0.03, 0.15), (0.05, 0.45), (0.1, 0.3), (0.2, 0.4), (0.15, 0.7), (0.45, 0.75)]
    let centers = stride(from: 410.0, through: 690, by: 20)
    return levels.flatMap { low, high in
      centers.flatMap { center in
        [15.0, 35].flatMap { width in
          [edge(low, high, center, width), edge(high, low, center, width)]
        }
          + [30.0, 60].flatMap { width in
            [band(low, high, center, width), band(high, low, center, width)]
          }
      }
    }
  }()

  /// Skin of many tones: light passes through melanin and blood twice.
  ///
  /// Source: Tsumura, Haneishi, Miyake (1999), "Independent-component analysis of skin color image", JOSA A 16: the
  /// logarithm of reflectance is linear in the densities of melanin and haemoglobin; Jacques (1998), "Skin optics", for
  /// melanin's absorption. Haemoglobin's bands with and without oxygen are approximated by Gaussians.
  static let skin: [[Double]] = {
    let bands = [
      [(12.0, 415.0, 16.0), (1.25, 541, 11), (1.35, 577, 8), (0.45, 555, 30), (0.1, 450, 40)],
      [(11.0, 422.0, 20.0), (1.2, 552, 24), (0.25, 577, 9), (0.4, 450, 35)],
    ]
    return bands.flatMap { bands in
      [0.05, 0.2, 0.5, 0.9, 1.4, 2].flatMap { melanin in
        [0.1, 0.3, 0.6].map { blood in
          CIE1931Observer.wavelengths.map { wavelength in
            let place = Double(wavelength)
            let haemoglobin = bands.reduce(0) { sum, band in
              let distance = (place - band.1) / band.2
              return sum + band.0 * exp(-distance * distance / 2)
            }
            // Blood is confined to vessels, so the strongest band does not absorb all light.
            let density = melanin * pow(place / 500, -3.33) + blood * min(haemoglobin, 3)
            let scattering = 1 - 0.3 * min(max((700 - place) / 300, 0), 1)
            return 0.6 * scattering * exp(-density)
          }
        }
      }
    }
  }()

  /// Returns a logistic step between two reflectances.
  private static func edge(_ from: Double, _ to: Double, _ center: Double, _ width: Double) -> [Double] {
    CIE1931Observer.wavelengths.map { from + (to - from) / (1 + exp((center - Double($0)) / width)) }
  }

  /// Returns a Gaussian on a base.
  private static func band(_ base: Double, _ peak: Double, _ center: Double, _ deviation: Double) -> [Double] {
    CIE1931Observer.wavelengths.map { wavelength in
      let distance = (Double(wavelength) - center) / deviation
      return base + (peak - base) * exp(-distance * distance / 2)
    }
  }
}

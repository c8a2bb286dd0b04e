internal import ColorScience
internal import Glibc

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

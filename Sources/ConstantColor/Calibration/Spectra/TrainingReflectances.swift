internal import ColorScience
internal import Glibc

/// Reflectances of many surfaces at the wavelengths of `CIE1931Observer`, for which a camera is calibrated.
enum TrainingReflectances {
  /// Those of the ColorChecker, continued beyond their wavelengths.
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

  /// Smooth spectra of many hues, lightnesses and saturations: edges, as of yellow and red pigments, bands, as of green
  /// and blue ones, and absorption bands, as of purple ones; each from faint to strong.
  static let smooth: [[Double]] = {
    let levels = [(0.03, 0.15), (0.05, 0.45), (0.1, 0.3), (0.2, 0.4), (0.15, 0.7), (0.45, 0.75)]
    let centers = stride(from: 410.0, through: 690, by: 20)
    return levels.flatMap { low, high in
      centers.flatMap { center in
        [15.0, 35].flatMap { width in
          [edge(low, high, center, width), edge(high, low, center, width)]
        } + [30.0, 60].flatMap { width in
          [band(low, high, center, width), band(high, low, center, width)]
        }
      }
    }
  }()

  /// A logistic step between two reflectances.
  private static func edge(_ from: Double, _ to: Double, _ center: Double, _ width: Double) -> [Double] {
    CIE1931Observer.wavelengths.map { from + (to - from) / (1 + exp((center - Double($0)) / width)) }
  }

  /// A Gaussian on a base.
  private static func band(_ base: Double, _ peak: Double, _ center: Double, _ deviation: Double) -> [Double] {
    CIE1931Observer.wavelengths.map { wavelength in
      let distance = (Double(wavelength) - center) / deviation
      return base + (peak - base) * exp(-distance * distance / 2)
    }
  }
}

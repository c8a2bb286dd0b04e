import Foundation

/// Samples from 400 to 700 nm in steps of 10 nm: a reflectance, a sensitivity or a power.
struct Spectrum: Sendable, Hashable {
  static let wavelengths = (0...30).map { 400 + 10 * Double($0) }

  var values: [Double]

  init(_ values: [Double]) {
    precondition(values.count == Self.wavelengths.count)
    self.values = values
  }

  init(of function: (_ wavelength: Double) -> Double) { values = Self.wavelengths.map(function) }

  static func * (left: Spectrum, right: Spectrum) -> Spectrum {
    Spectrum(zip(left.values, right.values).map { $0 * $1 })
  }

  static func * (left: Spectrum, right: Double) -> Spectrum { Spectrum(left.values.map { $0 * right }) }

  /// The sum over all wavelengths of the product with another.
  func sum(with other: Spectrum) -> Double { zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 } }

  /// A radiator of a temperature in kelvins, 1 at 560 nm. Source: CIE 015:2018, 4.1.1 (Planck's law).
  static func planckian(_ kelvins: Double) -> Spectrum {
    func power(_ wavelength: Double) -> Double {
      pow(wavelength, -5) / (exp(1.4388e7 / (wavelength * kelvins)) - 1)
    }
    return Spectrum { power($0) / power(560) }
  }

  /// A Gaussian peak of height 1: a coloured LED, or a smooth tint.
  static func peak(at center: Double, width: Double) -> Spectrum {
    Spectrum { exp(-pow(($0 - center) / width, 2) / 2) }
  }
}

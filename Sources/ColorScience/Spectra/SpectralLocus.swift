/// The chromaticities of monochromatic light.
public enum SpectralLocus {
  /// Step between the wavelengths of `chromaticities`, in nanometres.
  public static let step = 5
  /// The wavelength of the first of `chromaticities`, in nanometres; the last is 700.
  public static let first = 400

  /// From 400 to 700 nanometres, in CIE 1931 x, y of the 2° observer, rounded to four decimals.
  public static let chromaticities = zip(CIE1931Observer.wavelengths, CIE1931Observer.colorMatching)
    .filter { (first...700).contains($0.0) }
    .map { _, matching in
      let rounded = (matching / matching.sum() * 10_000).rounded(.toNearestOrAwayFromZero) / 10_000
      return Chromaticity(x: rounded.x, y: rounded.y)
    }

  /// The chromaticity of a wavelength in nanometres, a multiple of 5 from 400 to 700.
  public static func chromaticity(_ wavelength: Int) -> Chromaticity { chromaticities[(wavelength - first) / step] }
}

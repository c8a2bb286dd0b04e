/// The chromaticities of monochromatic light.
public enum SpectralLocus {
  /// Step between the wavelengths of `chromaticities`, in nanometres.
  public static let step = 5
  /// The wavelength of the first of `chromaticities`, in nanometres; that of the last is 700.
  public static let first = 400

  /// CIE 1931 x, y of the 2° observer, rounded to four decimals.
  /// Source: ISO/CIE 11664-1:2019, table 1: colour-matching functions, divided by their sum.
  private static let xy: [(Double, Double)] = [
    (0.1733, 0.0048), (0.1730, 0.0048), (0.1726, 0.0048), (0.1721, 0.0048), (0.1714, 0.0051), (0.1703, 0.0058),
    (0.1689, 0.0069), (0.1669, 0.0086), (0.1644, 0.0109), (0.1611, 0.0138), (0.1566, 0.0177), (0.1510, 0.0227),
    (0.1440, 0.0297), (0.1355, 0.0399), (0.1241, 0.0578), (0.1096, 0.0868), (0.0913, 0.1327), (0.0687, 0.2007),
    (0.0454, 0.2950), (0.0235, 0.4127), (0.0082, 0.5384), (0.0039, 0.6548), (0.0139, 0.7502), (0.0389, 0.8120),
    (0.0743, 0.8338), (0.1142, 0.8262), (0.1547, 0.8059), (0.1929, 0.7816), (0.2296, 0.7543), (0.2658, 0.7243),
    (0.3016, 0.6923), (0.3374, 0.6588), (0.3731, 0.6245), (0.4087, 0.5896), (0.4441, 0.5547), (0.4788, 0.5202),
    (0.5125, 0.4866), (0.5448, 0.4544), (0.5752, 0.4242), (0.6029, 0.3965), (0.6270, 0.3725), (0.6482, 0.3514),
    (0.6658, 0.3340), (0.6801, 0.3197), (0.6915, 0.3083), (0.7006, 0.2993), (0.7079, 0.2920), (0.7140, 0.2859),
    (0.7190, 0.2809), (0.7230, 0.2769), (0.7260, 0.2740), (0.7283, 0.2717), (0.7300, 0.2700), (0.7311, 0.2689),
    (0.7320, 0.2680), (0.7327, 0.2673), (0.7334, 0.2666), (0.7340, 0.2660), (0.7344, 0.2656), (0.7346, 0.2654),
    (0.7347, 0.2653),
  ]

  /// From 400 to 700 nanometres, in CIE 1931 x, y.
  public static let chromaticities = xy.map { Chromaticity(x: $0.0, y: $0.1) }

  /// The chromaticity of a wavelength in nanometres, a multiple of 5 from 400 to 700.
  public static func chromaticity(_ wavelength: Int) -> Chromaticity { chromaticities[(wavelength - first) / step] }
}

import Glibc

/// Hybrid log-gamma: scene light, converted to display light by an OOTF that depends on the display.
///
/// Signals above 1 (limited range reaches 1.09) continue on the same curves; negative values and NaN are treated as 0.
/// Source: ITU-R BT.2100-2, table 5.
public enum HLG {
  static let a = 0.17883277
  /// b = 1 - 4a and c = 0.5 - a ln 4a make the two pieces meet with equal slope at E = 1/12.
  static let b = 1 - 4 * a
  static let c = 0.5 - a * log(4 * a)

  /// Weights of scene-linear R, G, B in Ys. Source: ITU-R BT.2100-2, table 5, OOTF.
  public static let luminance = SIMD3(0.2627, 0.6780, 0.0593)

  /// Scene light to signal.
  /// - Parameter scene: Scene-linear component, nominally 0...1.
  /// - Returns: Non-linear signal, nominally 0...1.
  /// Source: ITU-R BT.2100-2, table 5, OETF.
  public static func oetf(_ scene: Double) -> Double {
    let scene = nonNegative(scene)
    return scene <= 1.0 / 12 ? (3 * scene).squareRoot() : a * log(12 * scene - b) + c
  }

  /// Signal to scene light.
  /// - Parameter signal: Non-linear signal, nominally 0...1.
  /// - Returns: Scene-linear component, nominally 0...1.
  /// Source: ITU-R BT.2100-2, table 5, inverse OETF.
  public static func inverseOETF(_ signal: Double) -> Double {
    let signal = nonNegative(signal)
    return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
  }

  /// System gamma of the OOTF.
  ///
  /// The logarithmic form applies to 400...2000 cd/m²; outside, the extended form with kappa = 1.111 is used. The two
  /// differ by 0.011 at 400 and 0.007 at 2000 cd/m².
  /// - Parameters:
  ///   - peak: Nominal peak luminance of the display in cd/m², above 0.
  ///   - surround: Luminance of the surround in cd/m², above 0; 5 is the reference.
  /// Source: ITU-R BT.2100-3, table 5, note 5f; BT.2390, 6.2, for the surround.
  public static func gamma(peak: Double, surround: Double = 5) -> Double {
    let gamma =
      (400...2000).contains(peak)
      ? 1.2 + 0.42 * log10(peak / 1000)
      : 1.2 * pow(1.111, log2(peak / 1000))
    return surround == 5 ? gamma : gamma * pow(0.98, log2(surround / 5))
  }

  /// Scene light to display light.
  /// - Parameters:
  ///   - rgb: Scene-linear BT.2020 components, nominally 0...1; negative ones keep their sign.
  ///   - peak: Luminance of scene white in cd/m².
  ///   - gamma: System gamma.
  /// - Returns: Display-linear BT.2020 components in cd/m²; black if the scene luminance is not above 0.
  /// Source: ITU-R BT.2100-2, table 5, OOTF.
  public static func ootf(_ rgb: SIMD3<Double>, peak: Double, gamma: Double) -> SIMD3<Double> {
    let y = (luminance * rgb).sum()
    return y > 0 ? rgb * (peak * pow(y, gamma - 1)) : .zero
  }

  /// Display light to scene light.
  /// - Parameters:
  ///   - nits: Display-linear BT.2020 components in cd/m².
  ///   - peak: Luminance of scene white in cd/m².
  ///   - gamma: System gamma.
  /// - Returns: Scene-linear BT.2020 components, nominally 0...1; black if the luminance is not above 0.
  /// Source: ITU-R BT.2100-2, table 5, inverse OOTF.
  public static func inverseOOTF(_ nits: SIMD3<Double>, peak: Double, gamma: Double) -> SIMD3<Double> {
    let y = (luminance * nits).sum() / peak
    return y > 0 ? nits * (pow(y, (1 - gamma) / gamma) / peak) : .zero
  }

  /// Lift of the signal that puts signal 0 at the black of the display.
  /// - Parameters:
  ///   - peak: Nominal peak luminance in cd/m².
  ///   - black: Luminance of black in cd/m², not negative.
  ///   - gamma: System gamma.
  /// - Returns: Beta, as a fraction of the signal range.
  /// Source: ITU-R BT.2100-2, table 5, EOTF.
  public static func blackLift(peak: Double, black: Double, gamma: Double) -> Double {
    (3 * pow(black / peak, 1 / gamma)).squareRoot()
  }

  /// Signal to display light.
  /// - Parameters:
  ///   - signal: Non-linear BT.2020 R', G', B', nominally 0...1.
  ///   - peak: Nominal peak luminance of the display in cd/m².
  ///   - black: Luminance of its black in cd/m².
  ///   - surround: Luminance of the surround in cd/m².
  /// - Returns: Display-linear BT.2020 components in cd/m².
  /// Source: ITU-R BT.2100-2, table 5, EOTF.
  public static func eotf(
    _ signal: SIMD3<Double>, peak: Double, black: Double = 0, surround: Double = 5
  ) -> SIMD3<Double> {
    let gamma = gamma(peak: peak, surround: surround)
    let lift = blackLift(peak: peak, black: black, gamma: gamma)
    let lifted = (1 - lift) * signal + lift
    let scene = SIMD3(inverseOETF(lifted.x), inverseOETF(lifted.y), inverseOETF(lifted.z))
    return ootf(scene, peak: peak, gamma: gamma)
  }
}

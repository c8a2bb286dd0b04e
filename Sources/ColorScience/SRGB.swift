import Glibc

/// The transfer function of sRGB, continued through the origin for components out of gamut.
///
/// Source: IEC 61966-2-1 (1999), 5.2; with Amendment 1 (2003), annex G, for negative values.
public enum SRGB {
  /// Signal to light relative to white.
  /// - Parameter signal: Non-linear signal, nominally 0...1.
  public static func eotf(_ signal: Double) -> Double {
    oddSymmetric(signal) { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
  }

  /// Light relative to white to signal.
  /// - Parameter light: Linear component, nominally 0...1.
  public static func inverseEOTF(_ light: Double) -> Double {
    oddSymmetric(light) { $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
  }
}

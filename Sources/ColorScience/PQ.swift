import Glibc

/// The perceptual quantizer: absolute luminance up to 10,000 cd/m².
///
/// Source: SMPTE ST 2084 (2014), clause 5; ITU-R BT.2100-2, table 4.
public enum PQ {
  /// Luminance of signal 1 in cd/m².
  public static let peak: Double = 10_000

  // The standard gives the constants as fractions of 4096.
  static let m1 = 2610.0 / 16384
  static let m2 = 2523.0 / 4096 * 128
  static let c1 = 3424.0 / 4096
  static let c2 = 2413.0 / 4096 * 32
  static let c3 = 2392.0 / 4096 * 32

  /// Signal to light.
  /// - Parameter signal: Non-linear signal, clamped to 0...1; NaN is treated as 0.
  /// - Returns: Luminance of a grey, or a linear component, in cd/m², 0...10000.
  /// Source: ITU-R BT.2100-2, table 4.
  public static func eotf(_ signal: Double) -> Double {
    let power = pow(unitClamped(signal), 1 / m2)
    return peak * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  /// Light to signal.
  /// - Parameter nits: Luminance or linear component in cd/m², clamped to 0...10000; NaN is treated as 0.
  /// - Returns: Non-linear signal, c1^m2 = 7.3e-7 (for black) to 1.
  /// Source: ITU-R BT.2100-2, table 4.
  public static func inverseEOTF(_ nits: Double) -> Double {
    let power = pow(unitClamped(nits / peak), m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}

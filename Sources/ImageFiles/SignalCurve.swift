internal import ColorScience
internal import Glibc

/// Converts a signal of floating-point samples to linear light; white is 1 in both.
///
/// The curve is odd-symmetric below 0, and extends above 1.
/// Source: ITU-T H.273 (07/2021), table 3, for the powers.
struct SignalCurve {
  private let light: @Sendable (Double) -> Double

  /// - Returns: nil if the transfer function is neither sRGB nor a power.
  init?(_ transfer: TransferCharacteristics) {
    func power(_ exponent: Double) -> @Sendable (Double) -> Double {
      { pow($0.magnitude, exponent) * ($0 < 0 ? -1 : 1) }
    }
    switch transfer {
    case .sRGB: light = { SRGB.eotf($0) }
    case .gamma22: light = power(2.2)
    case .gamma28: light = power(2.8)
    default: return nil
    }
  }

  func light(_ signal: Float) -> Float { Float(light(Double(signal))) }
}

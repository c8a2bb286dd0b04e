internal import ColorScience
internal import Glibc

/// From a signal of floating-point samples to linear light; white is 1 in both.
///
/// Below 0 the curve is that of the positive numbers turned about the origin, and above 1 it goes on.
/// Source: ITU-T H.273 (07/2021), table 3, for the powers.
struct SignalCurve {
  private let light: @Sendable (Double) -> Double

  /// - Returns: nil where the transfer function is neither sRGB's nor a power.
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

internal import ColorScience

/// How the non-linear signal of a coded frame stands for linear light in a band.
public enum SignalTransfer: Sendable, Hashable {
  /// BT.2100 PQ: display light; 1.0 in the band is `unit` cd/m².
  case pq(unit: Double)
  /// BT.2100 HLG: scene light, 0...1, no OOTF.
  case hlg
  /// A pure power, such as BT.1886 with black at zero (2.4); signal 1 is `peak` in the band.
  case power(exponent: Double, peak: Double)
  /// IEC 61966-2-1; signal 1 is `peak` in the band.
  case sRGB(peak: Double)

  /// BT.1886 with black at zero; signal 1 is `peak` in the band.
  public static func bt1886(peak: Double) -> SignalTransfer { .power(exponent: BT1886.exponent, peak: peak) }

  /// Linear light of a signal.
  /// - Parameter signal: Non-linear component; limited to 0...1.
  /// - Returns: Light in band units.
  public func light(fromSignal signal: Double) -> Double {
    let signal = signal > 0 ? min(signal, 1) : 0
    return switch self {
    case .pq(let unit): PQ.eotf(signal) / unit
    case .hlg: HLG.inverseOETF(signal)
    case .power(let exponent, let peak): raise(signal, exponent) * peak
    case .sRGB(let peak): SRGB.eotf(signal) * peak
    }
  }

  /// Signal of linear light.
  /// - Parameter light: Light in band units; limited to what the signal can carry.
  /// - Returns: Non-linear component, 0...1.
  public func signal(fromLight light: Double) -> Double {
    let light = light > 0 ? min(light, peak) : 0
    return switch self {
    case .pq(let unit): light > 0 ? PQ.inverseEOTF(light * unit) : 0
    case .hlg: HLG.oetf(light)
    case .power(let exponent, let peak): raise(light / peak, 1 / exponent)
    case .sRGB(let peak): SRGB.inverseEOTF(light / peak)
    }
  }

  /// Light of signal 1, in band units.
  public var peak: Double {
    switch self {
    case .pq(let unit): PQ.peak / unit
    case .hlg: 1
    case .power(_, let peak), .sRGB(let peak): peak
    }
  }
}

public import ColorScience

/// The conversion between the non-linear signal of a coded frame and linear light in a band.
public enum SignalTransfer: Sendable, Hashable, Codable {
  /// BT.2100 PQ: display light; 1.0 in the band is `unit` cd/m².
  case pq(unit: Double)
  /// BT.2100 HLG: scene light, 0...1, no OOTF.
  case hlg
  /// A pure power, such as BT.1886 with black at zero (2.4); signal 1 is `peak` in the band.
  case power(exponent: Double, peak: Double)
  /// BT.1886 with a black level that the display adds to all light: signal 0 is 0 in the band, and is displayed at this
  /// fraction of signal 1, which is `peak` in the band.
  case bt1886Black(Double, peak: Double)
  /// IEC 61966-2-1; signal 1 is `peak` in the band.
  case sRGB(peak: Double)
  /// Samples are linear and unlimited; 1 is `unit` in the band.
  case linear(unit: Double)

  /// BT.1886 with black at zero; signal 1 is `peak` in the band.
  public static func bt1886(peak: Double) -> SignalTransfer { .power(exponent: BT1886.exponent, peak: peak) }

  /// The largest signal of limited-range code values: eight-bit code 255. At higher depths the video data range ends
  /// below it.
  public static let superWhite = 239.0 / 219

  /// Returns the largest signal that is not clipped in a range: super-white for limited-range SDR and HLG, whose
  /// formulas continue above 1. PQ ends at 10,000 cd/m², and full range has no codes above 1.
  ///
  /// Signals below 0 are black, as in BT.1886 and BT.2100.
  /// Source: ITU-R BT.2100-2, table 9, "video data"; BT.1886-0, annex 1.
  public func reach(in range: VideoRange) -> Double {
    switch self {
    case .hlg, .power, .bt1886Black: range == .narrow ? Self.superWhite : 1
    case .pq, .sRGB, .linear: 1
    }
  }

  /// Returns the light of the largest signal, in band units.
  /// - Parameter reach: The largest signal, 1 or above.
  public func peak(reach: Double) -> Double { reach == 1 ? peak : light(fromSignal: reach, reach: reach) }

  /// Returns the linear light of a signal.
  /// - Parameters:
  ///   - signal: Non-linear component, limited to 0...reach; or linear light, which is not limited.
  ///   - reach: The largest signal that is not clipped.
  /// - Returns: Light in band units.
  public func light(fromSignal signal: Double, reach: Double = 1) -> Double {
    let code = signal > 0 ? min(signal, reach) : 0
    return switch self {
    case .pq(let unit): PQ.eotf(code) / unit
    case .hlg: HLG.inverseOETF(code)
    case .power(let exponent, let peak): raise(code, exponent) * peak
    case .bt1886Black(let black, let peak):
      max(BT1886(black: black).eotf(code) - black, 0) / (1 - black) * peak
    case .sRGB(let peak): SRGB.eotf(code) * peak
    case .linear(let unit): signal * unit
    }
  }

  /// Returns the signal of linear light.
  /// - Parameters:
  ///   - light: Light in band units, limited to the range of the signal.
  ///   - reach: The largest signal.
  /// - Returns: Non-linear component, 0...reach; or linear light, which is not limited.
  public func signal(fromLight light: Double, reach: Double = 1) -> Double {
    let shown = light > 0 ? min(light, peak(reach: reach)) : 0
    return switch self {
    case .pq(let unit): shown > 0 ? PQ.inverseEOTF(shown * unit) : 0
    case .hlg: HLG.oetf(shown)
    case .power(let exponent, let peak): raise(shown / peak, 1 / exponent)
    case .bt1886Black(let black, let peak):
      max(BT1886(black: black).inverseEOTF(black + (1 - black) * shown / peak), 0)
    case .sRGB(let peak): SRGB.inverseEOTF(shown / peak)
    case .linear(let unit): light / unit
    }
  }

  /// Light of signal 1, in band units.
  public var peak: Double {
    switch self {
    case .pq(let unit): PQ.peak / unit
    case .hlg: 1
    case .power(_, let peak), .bt1886Black(_, let peak), .sRGB(let peak), .linear(let peak): peak
    }
  }
}
